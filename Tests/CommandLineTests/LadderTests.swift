import Foundation
import Testing

/// `linejudge decode --as ladder`: the page in a real browser, compared with the log.
@Suite(.serialized) struct LadderTests {
    /// A row as the browser shows it.
    private struct Row: Decodable {
        var text: String
        var classes: String
        var times: [String]
        var width: Int
    }

    /// What the browser shows.
    private struct Page: Decodable {
        var rows: [Row]
        var plain: [Row]
        var tools: Int
        var plainTools: Int
        var lanes: [String]
        var scripts: Int
        var elements: Int
        var found: [String: Int]
        var hidden: [String: Int]
    }

    private static let hostile =
        "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u{1B}[31m"

    /// Two clients: one sends a line that violates the dialect and hostile text, and closes its
    /// connection; bytes of the other's are missing, and the server resets it.
    private static var capture: [UInt8] {
        var segments: [CaptureFile.Segment] = []
        var offsets: [String: Int] = [:]
        func add(_ text: String, _ number: UInt8, fromClient: Bool = true, flags: UInt8 = 0x18) {
            let side = "\(number) \(fromClient)"
            segments.append(
                .init(
                    text: text, fromClient: fromClient, client: number,
                    offset: offsets[side, default: 0], flags: flags))
            offsets[side, default: 0] += text.utf8.count
        }
        for (number, name) in [(UInt8(1), "alice"), (2, "<b>bob")] {
            add("PASS hunter2\r\nNICK \(name)\r\nUSER u 0 * :U\r\n", number)
            add(":s 001 \(name) :Welcome\r\n", number, fromClient: false)
            add("PING x\r\n", number)
            add(":s PONG s x\r\n", number, fromClient: false)
        }
        add("FROB\r\n", 1)
        add("PRIVMSG #a :\(hostile)\r\n", 1)
        // A gap: bytes that only the receiver has seen.
        offsets["2 true", default: 0] += 100
        add("PRIVMSG #a :after the gap\r\n", 2)
        add("", 2, fromClient: false, flags: 0x14)
        add("", 1, flags: 0x11)
        add("", 1, fromClient: false, flags: 0x11)
        return CaptureFile.bytes(segments)
    }

    private static func page(
        _ capture: [UInt8], _ options: [String] = [], search: [String] = [],
        _ check: (Page, _ log: [String], _ html: String) throws -> Void
    ) async throws {
        try await CaptureFile.with(capture, named: "<i>trace.pcap") { path in
            let arguments = ["decode", path, "--dialect", "irc", "-q"] + options
            let made = try await Command(arguments + ["--as", "ladder", "-o", path + ".html"]).run()
            #expect(made.status == 0 && made.output.isEmpty, "\(made.all)")
            let log = try await Command(arguments).run()
            let words = String(decoding: try JSONEncoder().encode(search), as: UTF8.self)
            let shots = ProcessInfo.processInfo.environment["SCREENSHOTS"]
            var tool = Command(
                [
                    "120", "python3",
                    Files.root.appending(path: "Tests/CommandLineTests/Tools/ladder.py").path,
                    path + ".html",
                ] + (shots.map { [$0] } ?? []))
            tool.program = URL(filePath: "/usr/bin/timeout")
            let looked = try await tool.with(environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(),
                "SEARCH": words,
            ]).run()
            #expect(looked.status == 0, "\(looked.all)")
            let page = try JSONDecoder().decode(Page.self, from: Data(looked.output.utf8))
            let rows = log.output.split(separator: "\n").map { row in
                row.split(separator: " ").joined(separator: " ")
                    .replacing("--- ", with: "")
            }
            try check(page, rows, Files.text(URL(filePath: path + ".html")))
        }
    }

    @Test func rowsAreTheLinesOfTheLogWithAndWithoutTheScript() async throws {
        for options in [
            [], ["--time", "relative"], ["--time", "full", "--anonymise"], ["--operator", "alice"],
        ] {
            try await Self.page(Self.capture, options) { page, log, _ in
                #expect(page.rows.map(\.text) == log)
                #expect(page.plain.map(\.text) == log)
                #expect(page.tools == 1 && page.plainTools == 0)
            }
        }
    }

    @Test func linesAreArrowsBetweenLanesAndProblemsAreMarked() async throws {
        try await Self.page(Self.capture) { page, _, _ in
            #expect(page.lanes == ["alice", "<b>bob", "10.0.0.2:6667"])
            func classes(_ words: String) -> Set<Substring> {
                Set(
                    page.rows.first { $0.text.contains(words) }?.classes.split(separator: " ") ?? []
                )
            }
            #expect(classes("FROB") == ["c0", "s0", "out", "bad"])
            #expect(classes("not captured").isSuperset(of: ["c1", "ev", "gap", "out"]))
            #expect(classes("after the gap").isSuperset(of: ["c1", "out", "part"]))
            #expect(classes("reset by the server") == ["c1", "s0", "ev", "end", "cut", "in"])
            #expect(classes("closed by the client").isSuperset(of: ["c0", "ev", "out", "half"]))
            #expect(classes("already open").isSuperset(of: ["c0", "ev", "open"]))
            let lines = page.rows.filter { !$0.classes.contains("day") }
            #expect(lines.allSatisfy { $0.width > 20 })
            #expect(page.rows.flatMap(\.times).contains { $0.hasPrefix("probe 1.0 ms") })
        }
    }

    @Test func searchAndButtonsChooseRows() async throws {
        try await Self.page(
            Self.capture, search: ["frob", "ping alice", "nothing of the kind"]
        ) { page, log, _ in
            // The row with the date stays.
            #expect(page.found == ["frob": 2, "ping alice": 2, "nothing of the kind": 1])
            let count = log.count
            #expect(page.hidden["alice"].map { $0 < count && $0 > 1 } == true)
            #expect(page.hidden["· events"].map { $0 < count } == true)
            #expect(page.hidden["only marked rows"] == 9)
        }
    }

    @Test func hostileTextIsInert() async throws {
        try await Self.page(Self.capture) { page, _, html in
            #expect(page.scripts == 1 && page.elements == 0)
            #expect(!html.contains("<img") && !html.contains("\u{1B}") && !html.contains("hunter2"))
            #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            #expect(html.contains("&lt;i&gt;trace.pcap"))
            for word in ["<link", "<iframe", " src=\"", "@import", "url("] {
                #expect(!html.lowercased().contains(word), "\(word)")
            }
        }
    }

    @Test func rowsBeyondTheMaximumAreCountedAndReported() async throws {
        let text = String(repeating: "PING x\r\n", count: 3_335)
        let segments = (0..<6).map {
            CaptureFile.Segment(text: text, offset: $0 * text.utf8.count)
        }
        try await CaptureFile.with(CaptureFile.bytes(segments)) { path in
            let made = try await Command("decode", path, "--dialect", "irc", "--as", "ladder").run()
            #expect(made.status == 0)
            #expect(
                made.errors.contains("only the first 10000 of 20012 rows are shown"),
                "\(made.errors)")
            #expect(made.output.contains("Only the first 10000 of 20012 rows are shown"))
            #expect(made.output.components(separatedBy: "<tr class=\"c").count == 10_001)
        }
    }

    @Test func manyClientsShareALane() async throws {
        let segments = (UInt8(1)...30).map {
            CaptureFile.Segment(text: "NICK op\($0)\r\nUSER u 0 * :U\r\n", client: $0)
        }
        try await Self.page(CaptureFile.bytes(segments)) { page, _, _ in
            #expect(page.lanes.count == 17 && page.lanes[15] == "15 other clients")
        }
    }
}
