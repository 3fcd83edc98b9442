import Glibc
import NIOCore
import NIOPosix
import Scenario
import Session
import Synchronization
import Testing

@testable import SessionTransport
import Transport

/// Each action and each event over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct SessionDriverTests {
    let driver = SessionDriver()

    static let echo: TestServer.Reaction = { seen, channel in
        if case .bytes(let text) = seen { channel.say(text) }
        if seen == .fin { channel.hangUp() }
    }

    @Test func bytesGoThereAndBack() async throws {
        try await TestServer.run(react: Self.echo) { server in
            let (outcome, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected { script.send("PING 1\r\n") }
                if script.received == "PING 1\r\n" { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received("PING 1\r\n")])
            #expect(outcome.result.outcome == .passed)
            #expect(outcome.connectionsMade == 1)
            #expect(!outcome.isUnreachable)
            let seen = await server.seen { $0 == .fin }
            #expect(seen == [.accepted, .bytes("PING 1\r\n"), .fin])
        }
    }

    @Test func aGreetingSentAtOnceComesAfterConnected() async throws {
        try await TestServer.run { seen, channel in
            if seen == .accepted { channel.say("* hello\r\n") }
            if seen == .fin { channel.hangUp() }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { _, script in
                script.isOver = script.received.hasSuffix("\r\n")
            }
            #expect(log.joined == [.started, .connected, .received("* hello\r\n")])
        }
    }

    @Test(arguments: [false, true])
    func sendsAreSegmentsOfTheirOwnUnlessHeld(isHeld: Bool) async throws {
        try await TestServer.run { seen, channel in
            guard seen == .fin else { return }
            channel.countDataSegments { count in
                channel.say("\(count) segments\n")
                channel.hangUp()
            }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    if isHeld { script.act(.hold(.first)) }
                    script.send("NI")
                    script.send("CK x\r\n")
                    script.act(.halfClose(.first))
                    if isHeld { script.act(.release(.first)) }
                }
                if event == .fin { script.isOver = true }
            }
            let counted = ScriptEvent.received("\(isHeld ? 1 : 2) segments\n")
            #expect(log.joined == [.started, .connected, counted, .fin])
        }
    }

    @Test func afterAHalfCloseWhatComesIsRead() async throws {
        try await TestServer.run { seen, channel in
            if seen == .fin {
                channel.say("bye\r\n")
                channel.hangUp()
            }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    script.send("QUIT\r\n")
                    script.act(.halfClose(.first))
                }
                if event == .fin { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received("bye\r\n"), .fin])
            #expect(await server.seen { $0 == .fin }.last == .fin)
        }
    }

    @Test func aCloseDrainsSoThatThePeerSeesNoReset() async throws {
        let much = String(repeating: "x", count: 3 << 20)
        try await TestServer.run { seen, channel in
            if seen == .fin {
                channel.say(much)
                channel.hangUp()
            }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    script.act(.close(.first))
                    script.isOver = true
                }
            }
            #expect(log.all == [.started, .connected])
            #expect(await server.seen { $0 == .fin || $0 == .reset } == [.accepted, .fin])
        }
    }

    @Test func whatWasSentBeforeACloseArrives() async throws {
        let much = String(repeating: "y", count: 2 << 20)
        let count = Mutex(0)
        try await TestServer.run { seen, channel in
            if case .bytes(let text) = seen { count.withLock { $0 += text.utf8.count } }
            if seen == .fin { channel.hangUp() }
        } _: { server in
            _ = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    script.send(much)
                    script.act(.close(.first))
                    script.isOver = true
                }
            }
            #expect(await server.seen { $0 == .fin || $0 == .reset }.last == .fin)
            #expect(count.withLock { $0 } == much.utf8.count)
        }
    }

    @Test func anAbortIsAReset() async throws {
        try await TestServer.run(react: { _, _ in }) { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    script.act(.abort(.first))
                    script.isOver = true
                }
            }
            #expect(log.all == [.started, .connected])
            #expect(await server.seen { $0 == .fin || $0 == .reset } == [.accepted, .reset])
        }
    }

    @Test(arguments: [false, true])
    func finAndResetAreDistinguishedAfterAllBytes(isReset: Bool) async throws {
        let text = String(repeating: "0123456789abcdef", count: 4_000)
        try await TestServer.run { seen, channel in
            if seen == .accepted { channel.say(text) }
            if case .bytes = seen { isReset ? channel.reset() : channel.hangUp() }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                // A reset may discard data in the kernel, so everything is read first.
                if script.received.count == text.count, case .received = event {
                    script.send("now")
                }
                if event == .fin || event == .reset { script.isOver = true }
            }
            let end: ScriptEvent = isReset ? .reset : .fin
            #expect(log.joined == [.started, .connected, .received(text), end])
        }
    }

    @Test func allBytesBeforeAFinComeFirst() async throws {
        let text = String(repeating: "0123456789abcdef", count: 100_000)
        try await TestServer.run { seen, channel in
            if seen == .accepted {
                channel.say(text)
                channel.hangUp()
            }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .fin { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received(text), .fin])
        }
    }

    @Test func aServerThatClosesAtOnceWasConnectedTo() async throws {
        try await TestServer.run { seen, channel in
            if seen == .accepted { channel.hangUp() }
        } _: { server in
            let (outcome, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .fin { script.isOver = true }
            }
            #expect(log.all == [.started, .connected, .fin])
            #expect(!outcome.isUnreachable)
        }
    }

    @Test func aPeerThatHasHalfClosedIsStillWrittenTo() async throws {
        try await TestServer.run { seen, channel in
            if seen == .accepted { channel.close(mode: .output, promise: nil) }
            if seen == .fin { channel.hangUp() }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .fin {
                    script.send("still here\r\n")
                    script.act(.close(.first))
                    script.isOver = true
                }
            }
            #expect(log.all == [.started, .connected, .fin])
            let seen = await server.seen { $0 == .fin || $0 == .reset }
            #expect(seen == [.accepted, .bytes("still here\r\n"), .fin])
        }
    }

    @Test func wakesComeAtTheDeadlineAndNotBefore() async throws {
        try await TestServer.run(react: Self.echo) { server in
            let deadlines = Mutex<[Int64]>([])
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected || event == .woken {
                    let deadline = script.now + 5_000_000
                    deadlines.withLock { $0.append(deadline) }
                    script.deadline = deadline
                    script.isOver = deadlines.withLock { $0.count } == 4
                }
            }
            #expect(log.all == [.started, .connected, .woken, .woken, .woken])
            for (woken, deadline) in zip(log.allTimes.dropFirst(2), deadlines.withLock { $0 }) {
                #expect(woken >= deadline)
            }
        }
    }

    @Test func aSlowReaderHoldsTheSendsBack() async throws {
        var limits = TransportLimits()
        limits.unsentBytesMax = 64 << 10
        let driver = SessionDriver(limits: limits)
        let block = String(repeating: "z", count: 1 << 20)
        let reader = Mutex<(any Channel)?>(nil)
        let count = Mutex(0)
        try await TestServer.run(autoRead: false) { seen, channel in
            if seen == .accepted { reader.withLock { $0 = channel } }
            if case .bytes(let text) = seen { count.withLock { $0 += text.utf8.count } }
            if seen == .fin { channel.hangUp() }
        } _: { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    for _ in 0..<16 { script.send(block) }
                    script.act(.halfClose(.first))
                    script.deadline = script.now + 50_000_000
                }
                if event == .woken {
                    guard let reader = reader.withLock({ $0 }) else {
                        script.deadline = script.now + 50_000_000
                        return
                    }
                    script.deadline = nil
                    // The kernel and the driver buffer a few of sixteen blocks; the rest was never
                    // requested.
                    #expect(script.actions.count > 1)
                    reader.setOption(.autoRead, value: true).whenComplete { _ in }
                }
                if event == .fin { script.isOver = true }
            }
            #expect(log.all.last == .fin)
            #expect(count.withLock { $0 } == 16 * block.utf8.count)
        }
    }
}
