import Foundation
import Testing

/// `load --watch URL`, which reads the server's own metrics.
struct LoadMetricsTests {
    /// Results of a load test, as far as these tests read them.
    private struct Results: Decodable {
        struct Metric: Decodable {
            struct Sample: Decodable {
                var timeNanoseconds: Int64
                var value: Double
            }
            var name: String
            var source: String
            var isCounter: Bool
            var missed: Int
            var samples: [Sample]
        }
        var metrics: [Metric]?
    }

    private static func load(_ words: [String], _ folder: URL) async throws -> Command.Outcome {
        try await Command(
            [
                "load", "--dialect", "irc", "--operators", "10", "--rate", "50/s", "--for", "3s",
                "--report", "json=load.json", "--report", "html=load.html", "--report",
                "influx=load.txt",
            ] + words
        ).within(folder).run()
    }

    private static func metrics(_ folder: URL) throws -> [Results.Metric] {
        let data = try Data(contentsOf: folder.appending(path: "load.json"))
        return try JSONDecoder().decode(Results.self, from: data).metrics ?? []
    }

    @Test func metricsOfTheServerAreRecorded() async throws {
        try await Files.with([:]) { folder in
            let port = try StartTests.freePort()
            let server =
                "\(Command.executable.path) serve --dialect irc --listen 127.0.0.1:{{port}} "
                + "--metrics 127.0.0.1:\(port)"
            let names = "linejudge_server_sessions,linejudge_server_texts_total"
            let outcome = try await Self.load(
                ["--exec", server, "--watch", "http://127.0.0.1:\(port)/metrics#\(names)"], folder)
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            let metrics = try Self.metrics(folder)
            #expect(metrics.map(\.name) == names.components(separatedBy: ","))
            #expect(metrics.map(\.isCounter) == [false, true])
            let sessions = try #require(metrics.first).samples.map(\.value)
            #expect(sessions.max() == 10)
            // All 150 messages, if the samples cover the whole period; the growth is per second.
            var texts = 0.0
            let samples = try #require(metrics.last).samples
            for (earlier, later) in zip(samples, samples.dropFirst()) {
                texts +=
                    later.value * Double(later.timeNanoseconds - earlier.timeNanoseconds) / 1e9
            }
            #expect(texts > 10 && texts < 151, "\(samples)")
            #expect(outcome.output.contains("linejudge_server_sessions: mean "))
            #expect(outcome.output.contains("linejudge_server_texts_total/s: mean "))
            let page = try Files.text(folder.appending(path: "load.html"))
            #expect(page.contains("linejudge_server_texts_total/s over time"))
            #expect(page.contains("data-values=\"metric1\"") || page.contains("metric1"))
            let lines = try Files.text(folder.appending(path: "load.txt"))
            #expect(lines.contains("linejudge_metric,"))
        }
    }

    /// An endpoint made with the Prometheus project's own library, which exits after some requests.
    private static let exporter = #"""
        import http.server, os, sys
        from prometheus_client import Counter, Gauge, Histogram, generate_latest
        lines = Counter("chat_lines", "Lines.", ["kind"])
        hostile = Gauge("hostile", "Text.", ["text"])
        hostile.labels("</script>\x1b[2J{}\n::error::x").set(4)
        delays = Histogram("chat_delay", "Delays.")
        left = int(sys.argv[1])
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                global left
                left -= 1
                if left < 0: os._exit(0)
                lines.labels("say").inc(30)
                lines.labels("join").inc(10)
                delays.observe(0.5)
                body = generate_latest()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *words): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    private static func withExporter(
        requests: Int, _ body: (String, URL) async throws -> Void
    ) async throws {
        try await Files.with(["exporter.py": exporter]) { folder in
            var command = Command("exporter.py", "\(requests)").within(folder)
            command.program = Files.root.appending(path: ".tools/python/bin/python3")
            let running = try command.start()
            defer { running.kill() }
            let port = try running.line()
            try await body("http://127.0.0.1:\(port)/metrics", folder)
        }
    }

    @Test func anEndpointThatEndsIsReportedAndNeverFailsTheLoad() async throws {
        // One request before the load test and two in it.
        try await Self.withExporter(requests: 3) { url, folder in
            let names = "chat_lines_total,hostile,chat_delay_count"
            let outcome = try await Self.load(["--watch", "\(url)#\(names)"], folder)
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            let metrics = try Self.metrics(folder)
            #expect(metrics.map(\.isCounter) == [true, false, true])
            #expect(metrics.map(\.samples.count) == [1, 2, 1])
            #expect(metrics.allSatisfy { $0.missed >= 1 })
            // 40 more lines since the sample a second earlier.
            let growth = try #require(metrics.first?.samples.first?.value)
            #expect(growth > 0 && growth < 45, "\(growth)")
            #expect(metrics[1].samples.map(\.value) == [4, 4])
            #expect(outcome.output.contains("not read"), "\(outcome.output)")
        }
    }

    @Test func mistakesAreExplainedBeforeTheLoadStarts() async throws {
        try await Self.withExporter(requests: 100) { url, folder in
            let cases = [
                ("\(url)#chat_line_total", 64, "did you mean `chat_lines_total`?"),
                (url, 64, "add names after a #"), (url, 64, "chat_lines_total"),
                ("http://127.0.0.1:1/metrics#x", 69, "refused the connection"),
                ("ftp://x#y", 64, "only http://"), ("x", 64, "expected a process ID"),
                ("4194305", 64, "no process with this ID"),
            ]
            for (word, status, text) in cases {
                let outcome = try await Self.load(["--watch", word], folder)
                #expect(outcome.status == status, "\(word): \(outcome.all)")
                #expect(outcome.errors.contains(text), "\(word): \(outcome.errors)")
            }
        }
    }
}
