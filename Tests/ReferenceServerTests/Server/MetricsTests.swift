import NIOCore
import ReferenceServer
import Testing
import Transport

@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    private func get(_ path: String, _ server: ReferenceServer) async throws -> [String] {
        let address = try #require(server.metricsAddress)
        let client = try await TestClient.connect(to: address)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        return await client.rest().map { $0.filter { $0 != "\r" } }
    }

    @Test func metricsAreServedOverHTTP() async throws {
        let faults = FaultInjector(rates: [.drop: 1], seed: 1)
        try await withServer {
            $0.metrics = .tcp(host: "127.0.0.1", port: 0)
            $0.faults = faults
        } _: { server in
            let joe = try await TestClient.logIn("Joe", to: server)
            try await joe.send("S0007|joe|x\nS0099\n")
            _ = try await joe.barrier()
            let lines = try await get("/metrics", server)
            #expect(lines.first == "HTTP/1.1 200 OK")
            for line in [
                "linejudge_server_connections 1", "linejudge_server_sessions 1",
                "linejudge_server_connections_total 1", "linejudge_server_lines_total 4",
                "linejudge_server_refusals_total 1", "linejudge_server_texts_total 1",
                "linejudge_server_faults_total{fault=\"drop\"} 1",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
        }
    }

    /// Each sample belongs to a family declared before it, and each line has the correct format.
    @Test func pageFollowsTheExpositionFormat() async throws {
        try await withServer {
            $0.metrics = .tcp(host: "127.0.0.1", port: 0)
        } _: { server in
            let lines = try await get("/metrics", server)
            let head = try #require(lines.firstIndex(of: ""))
            var families: Set<Substring> = []
            for line in lines[(head + 1)...] {
                let words = line.split(separator: " ")
                if line.hasPrefix("# TYPE ") {
                    families.insert(words[2])
                    #expect(["gauge", "counter"].contains(words[3]))
                } else if !line.hasPrefix("# HELP ") {
                    #expect(words.count == 2)
                    #expect(families.contains(words[0].prefix { $0 != "{" }))
                    #expect(Double(words[1]) != nil)
                }
            }
            #expect(families.count >= 11)
        }
    }
}
