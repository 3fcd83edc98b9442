import Glibc
import NIOCore
import Scenario
import Session
import Synchronization
import Testing

@testable import SessionTransport
import Transport

/// Connecting to servers, and the errors if there is none.
@Suite(.timeLimit(.minutes(5)))
struct ConnectingTests {
    let driver = SessionDriver()

    private func failure(at endpoint: Endpoint, _ driver: SessionDriver) async -> String? {
        let (outcome, log) = await driver.run(at: endpoint) { event, script in
            if event != .started { script.isOver = true }
        }
        #expect(outcome.isUnreachable == (log.all.last?.failure != nil))
        #expect(outcome.connectFailure == log.all.last?.failure)
        return log.all.last?.failure
    }

    @Test func serversSpeakIPv6() async throws {
        try await TestServer.run(host: "::1", react: SessionDriverTests.echo) { server in
            #expect(server.endpoint.location.hasPrefix("[::1]:"))
            #expect(await failure(at: server.endpoint, driver) == nil)
        }
    }

    @Test func serversAreFoundByName() async throws {
        try await TestServer.run(react: SessionDriverTests.echo) { server in
            let endpoint = Endpoint(.host("localhost", port: server.endpoint.port))
            #expect(await failure(at: endpoint, driver) == nil)
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.0.0.2"])
    func eachConnectionToALoopbackServerCanHaveItsOwnAddress(host: String) async throws {
        let peers = Mutex<[String]>([])
        try await TestServer.run(
            host: "0.0.0.0",
            prepare: { channel in
                peers.withLock { $0.append(channel.remoteAddress?.ipAddress ?? "") }
            }, react: SessionDriverTests.echo
        ) { server in
            let endpoint = Endpoint(.host(host, port: server.endpoint.port))
            let sources = try #require(await LoopbackAddresses(to: endpoint))
            let driver = SessionDriver(sources: sources)
            for _ in 0..<2 { #expect(await failure(at: endpoint, driver) == nil) }
        }
        #expect(peers.withLock(\.self) == ["127.1.0.1", "127.1.0.2"])
    }

    @Test(arguments: [
        Endpoint(.host("::1", port: 7)), Endpoint(.host("192.0.2.1", port: 7)),
        Endpoint(.host("no-such-host.invalid", port: 7)), Endpoint(.host("127.0.0.1", port: nil)),
        Endpoint(.unix(path: "/nowhere/chat.sock")),
    ])
    func otherServersHaveNoLoopbackAddresses(endpoint: Endpoint) async {
        #expect(await LoopbackAddresses(to: endpoint) == nil)
    }

    @Test func serversListenOnUnixSockets() async throws {
        let path = "/tmp/linejudge-test-\(getpid()).sock"
        try await TestServer.run(unixPath: path, react: SessionDriverTests.echo) { server in
            let (_, log) = await driver.run(at: server.endpoint) { event, script in
                if event == .connected {
                    script.act(.hold(.first))
                    script.send("a\n")
                    script.act(.release(.first), .halfClose(.first))
                }
                if event == .fin { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received("a\n"), .fin])
        }
    }

    @Test func aRefusedConnectionSaysSo() async throws {
        let port = try FullListener.freePort()
        let endpoint = Endpoint(.host("127.0.0.1", port: port))
        let expected = "127.0.0.1:\(port) refused the connection: no server is listening"
        #expect(await failure(at: endpoint, driver) == expected)
        let named = await failure(at: Endpoint(.host("localhost", port: port)), driver)
        #expect(named?.contains(expected) == true)
    }

    @Test func anUnknownNameSaysSo() async throws {
        let endpoint = Endpoint(.host("no-such-host.invalid", port: 1))
        let reason = await failure(at: endpoint, driver)
        #expect(reason == "cannot resolve the host name `no-such-host.invalid`")
    }

    @Test func aMissingSocketSaysSo() async throws {
        let reason = await failure(at: Endpoint(.unix(path: "/nowhere/chat.sock")), driver)
        #expect(reason == "there is no socket at /nowhere/chat.sock")
    }

    @Test func withoutTLSASecureServerIsNotReached() async throws {
        let reason = await failure(
            at: Endpoint(.host("localhost", port: 1), isSecure: true), driver)
        #expect(reason == "the server address requires TLS, but TLS is not configured")
    }

    @Test func aServerThatNeverAnswersTimesOut() async throws {
        let listener = try FullListener()
        defer { listener.close() }
        var limits = TransportLimits()
        limits.connectTimeout = 100_000_000
        let endpoint = Endpoint(.host("127.0.0.1", port: listener.port))
        let reason = await failure(at: endpoint, SessionDriver(limits: limits))
        #expect(reason == "127.0.0.1:\(listener.port) did not answer within 100 ms")
    }

    @Test func aFinishedRunDoesNotWaitForItsConnections() async throws {
        let listener = try FullListener()
        defer { listener.close() }
        var limits = TransportLimits()
        limits.connectTimeout = 3_600_000_000_000
        let endpoint = Endpoint(.host("127.0.0.1", port: listener.port))
        let (outcome, log) = await SessionDriver(limits: limits).run(at: endpoint) {
            event, script in
            if event == .started { script.deadline = script.now + 1_000_000 }
            if event == .woken { script.isOver = true }
        }
        #expect(log.all == [.started, .woken])
        #expect(!outcome.isUnreachable)
    }

    @Test func aServerThatDoesNotAnswerTheFinGetsAReset() async throws {
        let (listener, port) = try FullListener.bound()
        defer { _ = Glibc.close(listener) }
        try #require(listen(listener, 1) == 0)
        _ = await driver.run(at: Endpoint(.host("127.0.0.1", port: port))) { event, script in
            if event == .connected { script.isOver = true }
        }
        let socket = accept(listener, nil, nil)
        defer { _ = Glibc.close(socket) }
        var waiting = pollfd(fd: socket, events: 0, revents: 0)
        #expect(unsafe poll(&waiting, 1, 5_000) == 1)
        var error: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        #expect(unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
        // Linux reports a reset after a FIN as a broken pipe.
        #expect(error == EPIPE)
    }

    @Test func aCancelledTaskInterruptsTheRun() async throws {
        try await TestServer.run(react: SessionDriverTests.echo) { server in
            let log = Log()
            let (connected, continuation) = AsyncStream<Void>.makeStream()
            let task = Task {
                await driver.run(at: server.endpoint) {
                    ScriptedMachine(log) { event, _ in
                        if event == .connected { continuation.yield() }
                    }
                }
            }
            for await _ in connected { break }
            task.cancel()
            _ = await task.value
            #expect(log.all == [.started, .connected, .interrupted])
            #expect(await server.seen { $0 == .fin } == [.accepted, .fin])
        }
    }

    @Test func aTaskThatIsCancelledBeforehandStillGetsAResult() async throws {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await driver.run(at: Endpoint(.host("127.0.0.1", port: 1))) { event, _ in
            }.log.all
        }
        #expect(await task.value.last == .interrupted)
    }
}

/// A listening socket whose queue is full: the kernel drops further SYNs.
struct FullListener {
    let port: Int
    private let sockets: [CInt]

    struct Failure: Error {}

    init() throws {
        let (listener, port) = try Self.bound()
        guard listen(listener, 0) == 0 else { throw Failure() }
        var sockets = [listener]
        for _ in 0..<4 {
            let filler = socket(
                AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
            var address = Self.loopback(port)
            _ = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            sockets.append(filler)
        }
        self.port = port
        self.sockets = sockets
    }

    func close() { for socket in sockets { _ = Glibc.close(socket) } }

    /// A port on which nothing listens.
    static func freePort() throws -> Int {
        let (socket, port) = try bound()
        _ = Glibc.close(socket)
        return port
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func bound() throws -> (CInt, Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let status = unsafe bind(descriptor, pointer, length)
                return status == 0 ? unsafe getsockname(descriptor, pointer, &length) : status
            }
        }
        guard status == 0 else { throw Failure() }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
