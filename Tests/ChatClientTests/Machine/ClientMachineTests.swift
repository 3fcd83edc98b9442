import ChatModel
import LineProtocol
import Testing

@testable import ChatClient

/// A driver that runs a state machine step by step with explicit input and time.
private struct Bench {
    var machine: ClientMachine
    var now: Int64 = 0
    private var requestCount: UInt64 = 0

    init(_ change: (inout ChatClientOptions) -> Void = { _ in }) throws {
        let dialect = try livechat()
        var options = ChatClientOptions(dialect)
        options.requestsUserList = false
        options.pingInterval = 100
        options.answerWithinMax = 1_000
        options.connectWithinMax = 500
        options.reconnect = ReconnectPolicy(attemptsMax: 2, delayFirst: 10, delayMax: 10)
        change(&options)
        machine = ClientMachine(try ChatCodec(dialect), options, seed: 1)
    }

    mutating func id() -> RequestID {
        requestCount += 1
        return RequestID(number: requestCount)
    }

    mutating func step(
        _ body: (inout ClientMachine, Int64, inout [ClientAction]) throws -> Void
    ) rethrows -> [ClientAction] {
        var actions: [ClientAction] = []
        try body(&machine, now, &actions)
        return actions
    }

    mutating func receive(_ text: String) -> [ClientAction] {
        step { machine, now, actions in
            let bytes = Array(text.utf8)
            machine.received(bytes.span, at: now, wallClock: 7, &actions)
        }
    }

    mutating func say(_ text: String) throws -> (RequestID, [ClientAction]) {
        let id = id()
        let line = try machine.codec.line(LiveChat.SendMessage(chat: 1, text: text))
        return (id, step { $0.request(line, .command(id), at: $1, &$2) })
    }

    mutating func passTime(to time: Int64) -> [ClientAction] {
        now = time
        return step { $0.passTime(to: $1, &$2) }
    }

    /// Logs in, including the server's answers.
    mutating func logIn() -> RequestID {
        let id = id()
        _ = step { $0.logIn(joe, id, at: $1, &$2) }
        _ = step { $0.connected(as: joe, at: $1, &$2) }
        _ = receive("R0001|12|Joe\n")
        return id
    }
}

private let joe = ChatAccount(nickname: "Joe")
private let session = ClientSession(identifier: 12, nickname: "Joe")

private func write(_ text: String) -> ClientAction { .write(Array(text.utf8)) }

@Suite struct ClientMachineTests {
    @Test func aLoginConnectsAndIsAnswered() throws {
        var bench = try Bench()
        let id = bench.id()
        #expect(bench.step { $0.logIn(joe, id, at: $1, &$2) } == [.connect(joe)])
        #expect(
            bench.step { $0.connected(as: joe, at: $1, &$2) } == [write("S0001|Joe||0\n")])
        #expect(
            bench.receive("R0001|12|Joe\n") == [
                .emit(.loggedIn(session)), .finish(id, .success(ChatAnswer(session: session))),
            ])
        #expect(bench.machine.phase == .online(session))
    }

    @Test func aRefusedLoginClosesTheConnectionAndCanBeRetried() throws {
        var bench = try Bench()
        let id = bench.id()
        _ = bench.step { $0.logIn(joe, id, at: $1, &$2) }
        _ = bench.step { $0.connected(as: joe, at: $1, &$2) }
        let refusal = ChatRefusal(command: "S0001", code: 409, reason: "in use")
        #expect(
            bench.receive("R0002|S0001|409|in use\n") == [
                .close, .finish(id, .failure(.refused(refusal))),
            ])
        #expect(bench.machine.phase == .idle)
    }

    @Test func aPingFollowsEachRequest() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let (first, sent) = try bench.say("a")
        let (second, _) = try bench.say("b")
        #expect(sent == [write("S0004|0|1|a\nS0003|1\n")])
        #expect(bench.receive("R0003|1\n") == [.finish(first, .success(ChatAnswer()))])
        let refusal = ChatRefusal(command: "S0004", code: 403, reason: "no")
        #expect(bench.receive("R0002|S0004|403|no\n").isEmpty)
        #expect(
            bench.receive("R0003|2\n") == [.finish(second, .failure(.refused(refusal)))])
    }

    @Test func aRefusalWithoutARequestIsReported() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let refusal = ChatRefusal(command: "", code: 413, reason: "line too long")
        #expect(bench.receive("R0002||413|line too long\n") == [.emit(.refused(refusal))])
    }

    @Test func unsolicitedPongsAreIgnored() throws {
        var bench = try Bench()
        _ = bench.logIn()
        #expect(bench.receive("R0003|99\nR0003|\n").isEmpty)
    }

    @Test func idleConnectionsArePingedAndTimeOut() throws {
        var bench = try Bench()
        _ = bench.logIn()
        #expect(bench.machine.deadline == 100)
        #expect(bench.passTime(to: 99).isEmpty)
        #expect(bench.passTime(to: 100) == [write("S0003|1\n")])
        #expect(bench.receive("R0003|1\n").isEmpty)
        #expect(bench.machine.deadline == 200)
        #expect(bench.passTime(to: 200) == [write("S0003|2\n")])
        for time in stride(from: Int64(300), to: 1_200, by: 100) {
            #expect(bench.passTime(to: time).count == 1)
        }
        let lost = bench.passTime(to: 1_200)
        #expect(lost.first == .close)
        guard case .emit(.connectionLost(let reason, let delay)) = lost.last else {
            Issue.record("\(lost)")
            return
        }
        #expect(reason.hasPrefix("the server did not answer"))
        #expect((5...10).contains(delay))
    }

    @Test func pendingRequestsFailWhenTheConnectionIsLost() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let (id, _) = try bench.say("a")
        let actions = bench.step { $0.disconnected("reset", at: $1, &$2) }
        #expect(actions.first == .finish(id, .failure(.connectionLost(reason: "reset"))))
        let (later, refused) = try bench.say("b")
        let error = ChatError.notConnected(reason: "waiting to reconnect")
        #expect(refused == [.finish(later, .failure(error))])
    }

    @Test func aLostSessionIsRestoredWithItsChats() throws {
        var bench = try Bench()
        _ = bench.logIn()
        bench.machine.note(chat: 9, isIn: true)
        bench.machine.note(chat: 7, isIn: true)
        _ = bench.step { $0.disconnected("reset", at: $1, &$2) }
        #expect(bench.passTime(to: 10) == [.connect(joe)])
        _ = bench.step { $0.connected(as: joe, at: $1, &$2) }
        #expect(
            bench.receive("R0001|13|Joe\n") == [
                .emit(.loggedIn(ClientSession(identifier: 13, nickname: "Joe"))),
                write("S0005|7\nS0003|1\n"), write("S0005|9\nS0003|2\n"),
            ])
    }

    @Test func reconnectRetriesWhileTheOldSessionHoldsTheNickname() throws {
        var bench = try Bench()
        _ = bench.logIn()
        _ = bench.step { $0.disconnected("reset", at: $1, &$2) }
        _ = bench.passTime(to: 10)
        _ = bench.step { $0.connected(as: joe, at: $1, &$2) }
        let actions = bench.receive("R0002|S0001|409|in use\n")
        #expect(actions.first == .close)
        #expect(bench.machine.attemptCount == 2)
    }

    @Test func itGivesUpAfterTheLastAttempt() throws {
        var bench = try Bench()
        _ = bench.logIn()
        _ = bench.step { $0.disconnected("reset", at: $1, &$2) }
        _ = bench.passTime(to: 10)
        _ = bench.step { $0.connectFailed("refused", at: $1, &$2) }
        _ = bench.passTime(to: 20)
        #expect(
            bench.step { $0.connectFailed("refused", at: $1, &$2) } == [
                .emit(.ended(reason: "refused")), .close,
            ])
        #expect(bench.machine.deadline == nil)
    }

    @Test func theFirstLoginIsAttemptedOnce() throws {
        var bench = try Bench()
        let id = bench.id()
        _ = bench.step { $0.logIn(joe, id, at: $1, &$2) }
        #expect(
            bench.step { $0.connectFailed("refused", at: $1, &$2) } == [
                .close, .finish(id, .failure(.notConnected(reason: "refused"))),
            ])
    }

    @Test func aSilentRouterTimesOut() throws {
        var bench = try Bench()
        let id = bench.id()
        _ = bench.step { $0.logIn(joe, id, at: $1, &$2) }
        #expect(bench.passTime(to: 999).isEmpty)
        #expect(bench.passTime(to: 1_000).first == .close)
        #expect(bench.machine.phase == .idle)
    }

    @Test func aLogoutWaitsForTheServersAnswer() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let id = bench.id()
        #expect(bench.step { $0.logOut(id, at: $1, &$2) } == [write("S0002\n")])
        #expect(
            bench.receive("R0018|logged out\n") == [
                .close, .emit(.ended(reason: "logged out")), .finish(id, .success(ChatAnswer())),
            ])
    }

    @Test func aLogoutStopsReconnecting() throws {
        var bench = try Bench()
        _ = bench.logIn()
        _ = bench.step { $0.disconnected("reset", at: $1, &$2) }
        let id = bench.id()
        #expect(
            bench.step { $0.logOut(id, at: $1, &$2) } == [
                .close, .emit(.ended(reason: "logged out")), .finish(id, .success(ChatAnswer())),
            ])
        #expect(bench.machine.deadline == nil)
    }

    @Test func unreadableLinesAreLoggedAndSkipped() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let actions = bench.receive("R9999|x\nR0005|1|Ann|new\n")
        #expect(
            actions == [
                .warn(#""R9999": the dialect has no such command"#),
                .emit(.joined(chat: 1, nickname: "Ann")),
                .warn("joined: surplus arguments ignored: 1 (reported once per command)"),
            ])
    }

    @Test func multiLineAnswersAreCollected() throws {
        var bench = try Bench()
        _ = bench.logIn()
        let id = bench.id()
        let line = try bench.machine.codec.line(LiveChat.Who())
        _ = bench.step { $0.request(line, .command(id), at: $1, &$2) }
        var answer = ChatAnswer()
        answer.people = [
            ChatPerson(id: 12, nickname: "Joe", isVisitor: false),
            ChatPerson(id: 13, nickname: "Ann", isVisitor: true),
        ]
        #expect(
            bench.receive("R0008|12|Joe|0\nR0008|13|Ann|1\nR0009|2\nR0003|1\n")
                == [.finish(id, .success(answer))])
    }

    @Test func theUserListIsRequestedAfterTheLogin() throws {
        var bench = try Bench { $0.requestsUserList = true }
        let id = bench.id()
        _ = bench.step { $0.logIn(joe, id, at: $1, &$2) }
        _ = bench.step { $0.connected(as: joe, at: $1, &$2) }
        #expect(bench.receive("R0001|12|Joe\n").last == write("S0008|0\nS0003|1\n"))
        let present = [ChatPerson(id: 12, nickname: "Joe", isVisitor: false)]
        #expect(
            bench.receive("R0008|12|Joe|0\nR0009|1\nR0003|1\n") == [.emit(.present(present))])
    }

    /// The actions are the same however the server's bytes are split.
    @Test func actionsDoNotDependOnHowTheBytesAreSplit() throws {
        let text = "R0004|1|a\\|b|Ann|5|0\nR0005|5|Bob\nR0017|3|update\nR0013|4|Ann|gone\n"
        var whole = try Bench()
        _ = whole.logIn()
        let expected = whole.receive(text)
        #expect(expected.count == 4)
        for split in text.indices {
            var bench = try Bench()
            _ = bench.logIn()
            let actions =
                bench.receive(String(text[..<split])) + bench.receive(String(text[split...]))
            #expect(actions == expected)
        }
    }
}
