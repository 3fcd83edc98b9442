import DialectFiles
import ReferenceServer
import Testing

/// Counted payloads: the length shrinks with the payload, so the stream stays in step.
@Suite(.timeLimit(.minutes(5))) struct PayloadFaultTests {
    @Test(arguments: [(true, "xy"), (false, "xyz")])
    func natsMessageLosesItsLastByte(isArmed: Bool, payload: String) async throws {
        try await withServer("nats", isArmed) { server in
            let login = #"CONNECT {"verbose":false,"echo":false}"#
            let bob = try await TestClient.connect(to: server)
            try await bob.send("\(login)\r\nSUB inbox 1\r\nPING\r\n")
            while let line = await bob.next(), line != "PONG\r" {}
            let alice = try await TestClient.connect(to: server)
            try await alice.send("\(login)\r\nPUB inbox 3\r\nxyz\r\nPING\r\n")
            while let line = await alice.next(), line != "PONG\r" {}
            try await bob.send("PING\r\n")
            let received = [await bob.next(), await bob.next(), await bob.next()]
            #expect(received == ["MSG inbox 1 \(payload.utf8.count)\r", "\(payload)\r", "PONG\r"])
        }
    }

    @Test(arguments: [(true, "xy"), (false, "xyz")])
    func msnpMessageLosesItsLastByte(isArmed: Bool, payload: String) async throws {
        try await withServer("msnp", isArmed) { server in
            let alice = try await logIn("alice", server)
            let bob = try await logIn("bob", server)
            try await alice.send("CAL 11 bob\r\n")
            var ring: [Substring] = []
            while ring.first != "RNG", let line = await bob.next() {
                ring = line.dropLast().split(separator: " ")
            }
            try #require(ring.count > 4)
            try await bob.send("ANS 21 bob \(ring[4]) \(ring[1])\r\n")
            while let line = await bob.next(), !line.hasPrefix("ANS 21 OK") {}
            try await alice.send("MSG 12 A 3\r\nxyz")
            while let line = await alice.next(), !line.hasPrefix("ACK 12") {}
            try await bob.send("PNG\r\n")
            #expect(await bob.next() == "MSG alice alice \(payload.utf8.count)\r")
            #expect(await bob.next()?.hasPrefix("\(payload)QNG") == true)
        }
    }

    private func logIn(_ name: String, _ server: ReferenceServer) async throws -> TestClient {
        let client = try await TestClient.connect(to: server)
        let steps = [
            "VER 1 MSNP8 CVR0", "CVR 2 0x0409 winnt 5.1 i386 MSNMSGR 6.2.0205 MSMSGS \(name)",
            "USR 3 TWN I \(name)", "USR 4 TWN S t", "CHG 5 NLN 0",
        ]
        try await client.send(steps.map { $0 + "\r\n" }.joined())
        while let line = await client.next(), !line.hasPrefix("CHG 5") {}
        return client
    }

    private func withServer(
        _ name: String, _ isArmed: Bool, _ body: (ReferenceServer) async throws -> Void
    ) async throws {
        let dialect = try DialectLibrary.find(name).dialect
        let faults = FaultInjector(rates: isArmed ? [.payloadOffByOne: 1] : [:], seed: 1)
        var options = ServerOptions(dialect)
        options.faults = faults
        let server = try await ReferenceServer.start(speaking: dialect, options: options)
        try await body(server)
        #expect(faults.counts.map(\.count) == (isArmed ? [1] : []))
        await server.shutdown()
    }
}
