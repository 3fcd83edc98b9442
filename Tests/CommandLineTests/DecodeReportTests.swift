import Foundation
import Testing

/// Reports of `linejudge decode`, read by independent programs.
struct DecodeReportTests {
    /// Three clients that log in, send requests and talk.
    private static var capture: [UInt8] {
        var segments: [CaptureFile.Segment] = []
        var offsets: [String: Int] = [:]
        func say(_ text: String, _ number: UInt8, fromClient: Bool = true) {
            let side = "\(number) \(fromClient)"
            segments.append(
                .init(
                    text: text, fromClient: fromClient, client: number,
                    offset: offsets[side, default: 0]))
            offsets[side, default: 0] += text.utf8.count
        }
        for number in UInt8(1)...3 {
            say("NICK op\(number)\r\nUSER op\(number) 0 * :Op\r\n", number)
            say(":s 001 op\(number) :Welcome\r\n", number, fromClient: false)
            for ping in 0..<20 {
                say("PING \(ping)\r\n", number)
                say(":s PONG s \(ping)\r\n", number, fromClient: false)
            }
            say("FROB\r\n", number)
        }
        return CaptureFile.bytes(segments)
    }

    private static func python(_ arguments: String...) async throws -> Command.Outcome {
        var command = Command(["120", "python3"] + arguments)
        command.program = URL(filePath: "/usr/bin/timeout")
        return try await command.with(environment: [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(),
        ]).run()
    }

    private static func tool(_ path: String) -> String { Files.root.appending(path: path).path }

    /// The first and last times that a file can have, in either order.
    @Test(
        arguments: ["log", "json", "ladder", "scenario", "latency", "deliveries"],
        [6, 9, 0x80, 0x80 | 10] as [UInt8])
    func extremeTimesAreDecoded(_ form: String, _ resolution: UInt8) async throws {
        let segments = [
            CaptureFile.Segment(text: "NICK a\r\nUSER a 0 * :a\r\n"),
            .init(text: ":s 001 a :hi\r\n", fromClient: false),
            .init(text: "PING x\r\n", offset: 24),
            .init(text: ":s PONG s x\r\n", fromClient: false, offset: 14),
        ]
        for times in [[0, 0, .max, .max], [.max, 0, 0, .max], [1 << 63, 1, .max, 0]] as [[UInt64]] {
            let bytes = CaptureFile.pcapng(segments, at: times, resolution: resolution)
            try await CaptureFile.with(bytes, named: "times.pcapng") { path in
                let made = try await Command(
                    "decode", path, "--dialect", "irc", "--as", form
                ).run()
                #expect(made.status == 0, "\(made.all)")
                #expect(
                    made.output.lowercased().contains("nick") || form == "latency"
                        || form == "deliveries", "\(made.all)")
            }
        }
    }

    @Test func theResultsFollowTheSchemaAndNameTheCapture() async throws {
        try await CaptureFile.with(Self.capture, named: "<b>trace.pcap") { path in
            let made = try await Command(
                "decode", path, "--dialect", "irc", "--as", "latency", "--report",
                "json=\(path).json"
            ).run()
            #expect(made.status == 0, "\(made.all)")
            let checked = try await Self.python(
                Self.tool("Tests/ReportTests/Tools/validate.py"),
                Self.tool("docs/load-results.schema.json"), path + ".json")
            #expect(checked.status == 0, "\(checked.all)")
            let results = try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(filePath: path + ".json")))
            let capture = (results as? [String: Any])?["capture"] as? [String: Any]
            #expect(capture?["name"] as? String == path)
            let expected = [
                "packets": 129, "connections": 3, "lines": 132, "broken": 3, "missingBytes": 0,
            ]
            for (name, value) in expected {
                #expect(capture?[name] as? Int == value, "\(name): \(String(describing: capture))")
            }
            #expect(capture?.count == expected.count + 1)
        }
    }

    @Test func everyLineOfTheJSONFormKeepsToItsSchema() async throws {
        try await CaptureFile.with(Self.capture + [1, 2, 3]) { path in
            let decoded = try await Command("decode", path, "--as", "json", "-q").run()
            #expect(decoded.status == 1, "\(decoded.all)")
            try Data(decoded.output.utf8).write(to: URL(filePath: path + ".jsonl"))
            let checked = try await Self.python(
                Self.tool("Tests/ReportTests/Tools/validate.py"),
                Self.tool("docs/decode-lines.schema.json"), path + ".jsonl")
            #expect(checked.status == 0, "\(checked.all)")
        }
    }

    /// Light, dark, narrow and printed. The page writes nothing to the console and loads nothing
    /// over the network.
    @Test func thePageIsWholeAndQuietAndNothingLeavesItsBox() async throws {
        try await CaptureFile.with(Self.capture, named: "<b>trace.pcap") { path in
            let made = try await Command(
                "decode", path, "--dialect", "irc", "--as", "latency", "--report",
                "html=\(path).html"
            ).run()
            #expect(made.status == 0, "\(made.all)")
            let looked = try await Self.python(
                Self.tool("Tests/ReportTests/Tools/probe.py"), path + ".html")
            #expect(looked.status == 0, "\(looked.all)")
            #expect(looked.output.contains("\"figures\": 3"), "\(looked.all)")
            let page = try Files.text(URL(filePath: path + ".html"))
            #expect(page.contains("&lt;b&gt;trace.pcap") && !page.contains("<b>trace.pcap"))
        }
    }
}
