import DialectFiles
import ReferenceServer
import Testing

/// Faults of sessions and timing, on a service without sockets where possible.
@Suite(.timeLimit(.minutes(5))) struct SlowFaultTests {
    private func bench(_ fault: Fault?) -> (ServiceBench, FaultInjector) {
        let faults = FaultInjector(rates: fault.map { [$0: 1] } ?? [:], seed: 1)
        return (ServiceBench(faults: faults), faults)
    }

    @Test func lateExpiryKeepsSilentSessionsTooLong() throws {
        let (bench, faults) = bench(.lateExpiry)
        let id = try bench.logIn("Joe")
        bench.pass(31 * ServiceBench.second)
        #expect(bench.read(id) == [])
        #expect(bench.sessionCount == 1)
        #expect(faults.counts.first?.count == 1)
    }

    @Test func silentExpiryClosesWithoutAClosingLine() throws {
        let (bench, faults) = bench(.silentExpiry)
        let id = try bench.logIn("Joe")
        bench.pass(31 * ServiceBench.second)
        #expect(bench.read(id) == [])
        #expect(bench.closed == [id])
        #expect(faults.counts.first?.count == 1)
    }

    @Test func keepaliveIgnoredEndsSessionsThatPing() throws {
        let (bench, faults) = bench(.keepaliveIgnored)
        let id = try bench.logIn("Joe")
        bench.pass(20 * ServiceBench.second)
        bench.send(.ping(token: []), from: id)
        bench.pass(20 * ServiceBench.second)
        #expect(bench.closed == [id])
        #expect(faults.counts.first?.count == 1)
    }

    @Test func withoutFaultsPingsKeepAliveAndExpiryIsAnnounced() throws {
        let (bench, _) = bench(nil)
        let id = try bench.logIn("Joe")
        bench.pass(20 * ServiceBench.second)
        bench.send(.ping(token: []), from: id)
        bench.pass(20 * ServiceBench.second)
        #expect(bench.closed == [])
        bench.pass(20 * ServiceBench.second)
        #expect(bench.read(id).last == .loggedOut(.expired))
    }

    @Test func segmentEndsLineSplitsALine() async throws {
        let faults = FaultInjector(rates: [.segmentEndsLine: 1], seed: 1)
        try await withServer {
            $0.faults = faults
        } _: { server in
            let other = try await TestClient.logIn("Joe", to: server)
            let client = try await TestClient.connect(to: server)
            try await client.send("S0003|o")
            // A later request is answered later, so the partial line has been read by then.
            for _ in 0..<3 { _ = try await other.barrier() }
            #expect(await client.next() == "R0003|o")
            #expect(faults.counts.first?.count == 1)
        }
    }

    @Test func descriptorLeakKeepsClosedConnections() async throws {
        let faults = FaultInjector(rates: [.descriptorLeak: 1], seed: 1)
        try await withServer {
            $0.faults = faults
        } _: { server in
            let client = try await TestClient.logIn("Joe", to: server)
            try await client.halfClose()
            while await server.counts().sessions > 0 { await Task.yield() }
            let again = try await TestClient.logIn("Joe", to: server)
            #expect(try await again.barrier() == [])
            #expect(faults.counts.first?.count == 1)
            await server.shutdown()
            #expect(await client.rest() == [])
        }
    }

    @Test(arguments: [Fault.slowWriterBlocks])
    func aSlowClientDelaysOthers(fault: Fault) async throws {
        let faults = FaultInjector(rates: [fault: 1], seed: 1)
        try await withServer {
            $0.faults = faults
        } _: { server in
            let other = try await TestClient.logIn("Joe", to: server)
            let client = try await TestClient.connect(to: server)
            let start = ContinuousClock.now
            try await client.send("S0003|o")
            while faults.counts.first?.count == 0 { await Task.yield() }
            _ = try await other.barrier()
            #expect(ContinuousClock.now - start >= .milliseconds(250))
        }
    }

    @Test func slowReaderDelaysOthers() async throws {
        let faults = FaultInjector(rates: [.slowReaderBlocks: 1], seed: 1)
        try await withServer {
            $0.faults = faults
            // The client that does not read keeps the server from closing its connection.
            $0.lingerMillisecondsMax = 100
        } _: { server in
            let joe = try await TestClient.logIn("Joe", to: server)
            let slow = try await TestClient.connect(to: server, reads: false)
            try await slow.send("S0001|Slow\n")
            #expect(await joe.next("R0012") == "R0012|2|Slow")
            let text = String(repeating: "x", count: 60_000)
            var sent = 0
            while faults.counts.first?.count == 0, sent < 400 {
                sent += 1
                try await joe.send("S0007|Slow|\(text)\n")
                _ = try await joe.barrier()
            }
            #expect(faults.counts.first?.count ?? 0 > 0)
        }
    }
}
