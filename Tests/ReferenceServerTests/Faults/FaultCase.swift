import DialectFiles
import LineProtocol
import ReferenceServer
import Testing

/// Input that exposes a fault: the bytes one client writes at once before it ends its stream, while
/// a second client is logged in and a third observes.
struct FaultCase: Sendable, CustomTestStringConvertible {
    var fault: Fault
    var dialect = "livechat"
    var bytes: [UInt8]

    init(_ fault: Fault, _ text: String, dialect: String = "livechat") {
        self.init(fault, bytes: Array(text.utf8), dialect: dialect)
    }

    init(_ fault: Fault, bytes: [UInt8], dialect: String = "livechat") {
        self.fault = fault
        self.bytes = bytes
        self.dialect = dialect
    }

    var testDescription: String { fault.rawValue }

    /// Runs the case with or without the fault.
    func outcome(armed: Bool) async throws -> FaultOutcome {
        let dialect = try DialectLibrary.find(dialect).dialect
        let faults = FaultInjector(rates: armed ? [fault: 1] : [:], seed: 1)
        var options = ServerOptions(dialect)
        options.rules.expiresAfter = nil
        options.rules.loginWithin = nil
        options.faults = faults
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        let lines = try await run(on: server)
        await server.shutdown()
        return FaultOutcome(lines: lines, count: faults.counts.first?.count ?? 0)
    }

    private func run(on server: ReferenceServer) async throws -> [[String]] {
        let witness = try await enter("c", server)
        let peer = try await enter("b", server)
        let client = try await TestClient.connect(to: server)
        try await client.send(bytes)
        try await client.halfCloseIfOpen()
        var lines = [await client.rest()]
        for other in [peer, witness] {
            try await other.halfCloseIfOpen()
            lines.append(await other.rest())
        }
        let next = try await enter("a", server, waits: false)
        try await next.halfCloseIfOpen()
        lines.append(await next.rest())
        // Times differ between runs.
        return lines.map { $0.filter { !$0.hasPrefix("R0010") && !$0.contains(" 333 ") } }
    }

    /// Returns a client that has logged in and entered a room.
    private func enter(
        _ name: String, _ server: ReferenceServer, waits: Bool = true
    ) async throws -> TestClient {
        let client = try await TestClient.connect(to: server)
        switch dialect {
        case "irc":
            try await client.send("NICK \(name)\r\nUSER \(name) 0 * :\(name)\r\n")
            while waits, let line = await client.next(), !line.contains(" 376 ") {}
            if name == "b" { try await client.send("JOIN #r\r\n") }
            while waits, name == "b", let line = await client.next(), !line.contains(" 366 ") {}
        case "nats":
            let expect = name == "b" ? "SUB a 1\r\n" : ""
            try await client.send("CONNECT {}\r\n\(expect)PING\r\n")
            while waits, let line = await client.next(), !line.hasPrefix("PONG") {}
        default:
            try await client.send("S0001|\(name)\n")
            while waits, let line = await client.next(), !line.hasPrefix("R0001") {}
            if name == "b" { try await client.send("S0005|1\n") }
            while waits, name == "b", let line = await client.next(), !line.hasPrefix("R0005") {}
        }
        return client
    }
}

/// The lines each client received, and how often the fault was counted.
struct FaultOutcome: Sendable, Hashable {
    var lines: [[String]]
    var count: Int
}
