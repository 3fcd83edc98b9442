import Foundation
import Testing

/// `linejudge decode` with filters that match nothing.
struct DecodeFilterTests {
    private static let talk = "NICK alice\r\nPING x\r\nFROB 1\r\n"

    @Test(arguments: [
        (["--command", "away"], "--command away", "the commands are nick, ping"),
        (["--operator", "alcie"], "--operator alcie", "did you mean `alice`?"),
        (["--operator", "zoe"], "--operator zoe", "the operators are alice"),
        (["--connection", "9"], "--connection 9", "the only connection is #1"),
        (
            ["--from", "00:01", "--to", "00:02"], "--from 00:01 --to 00:02",
            "the lines are from 2023-11-14T22:13:20.000Z to 2023-11-14T22:13:20.000Z"
        ),
        (
            ["--command", "ping", "--operator", "a b"], "--command ping --operator 'a b'",
            "the operators are alice"
        ),
    ])
    func filterWithoutMatchesIsReportedInOneLine(
        options: [String], requested: String, hint: String
    ) async throws {
        let outcome = try await CaptureFile.with(CaptureFile.bytes(Self.talk)) {
            try await Command(["decode", $0, "--dialect", "irc"] + options).run()
        }
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome.all)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(outcome.all)")
        #expect(
            lines.first
                == "warning: nothing matches \(requested) in 3 lines on 1 connection; \(hint)",
            "\(outcome.all)")
    }

    @Test func otherPortsAreListed() async throws {
        let bytes = CaptureFile.bytes([
            .init(text: "NICK alice\r\n"), .init(text: "PING\r\n", client: 0x51, port: 4222),
        ])
        let outcome = try await CaptureFile.with(bytes) {
            try await Command("decode", $0, "--dialect", "irc", "--port", "7000").run()
        }
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(
            outcome.errors.contains(
                "nothing matches --port 7000 in 2 packets; the capture has traffic on ports 4222, "
                    + "6667\n"
            ))
    }

    #if Capture
        @Test func refusedPacketsAreCounted() async throws {
            let outcome = try await CaptureFile.with(CaptureFile.bytes(Self.talk)) {
                try await Command("decode", $0, "--dialect", "irc", "--bpf", "port 7000").run()
            }
            #expect(outcome.status == 2, "\(outcome.all)")
            #expect(
                outcome.errors.contains("nothing matches --bpf 'port 7000' in 1 packet\n"))
        }
    #endif

    @Test func anUnknownCommandIsAnErrorUnlessItOccurs() async throws {
        try await CaptureFile.with(CaptureFile.bytes(Self.talk)) { path in
            let found = try await Command(
                "decode", path, "--dialect", "irc", "--command", "frob"
            ).run()
            #expect(found.status == 0, "\(found.all)")
            #expect(found.output.contains("\"FROB 1\"") && !found.output.contains("nick("))
            for dialect in [["--dialect", "irc"], []] {
                let unknown = try await Command(
                    ["decode", path, "--command", "nikc", "--command", "ping"] + dialect
                ).run()
                #expect(unknown.status == 64, "\(unknown.all)")
                #expect(unknown.output.contains("ping(token"), "\(unknown.all)")
                #expect(
                    unknown.errors.contains("has no command `nikc`, and no line begins with")
                        && unknown.errors.contains("did you mean `nick`?"), "\(unknown.all)")
            }
        }
    }

    @Test func onlyOneDialectIsTimedAndTheOthersAreNamed() async throws {
        let bytes = CaptureFile.bytes([
            .init(text: "NICK alice\r\nPING one\r\n"),
            .init(text: "INFO {}\r\n", fromClient: false, client: 0x51, port: 4222),
            .init(text: ":s 001 alice :Hi\r\n:s PONG s one\r\n", fromClient: false),
            .init(text: "PING\r\nPUB a 5\r\nhello\r\nPING\r\n", client: 0x51, port: 4222),
            .init(text: "GET / HTTP/1.1\r\nHost: x\r\n", client: 0x52, port: 8080),
        ])
        let outcome = try await CaptureFile.with(bytes) {
            try await Command("decode", $0, "--as", "latency").run()
        }
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.output.contains("10.0.0.2:6667 (irc), 1 connection, 4 lines"), "\(outcome.all)")
        #expect(outcome.output.contains("probe answered                    1"))
        #expect(
            outcome.errors.contains(
                "ports with other dialects are left out: 4222 (nats), 8080 (unknown dialect)"),
            "\(outcome.all)")
    }

    /// The file's name appears in errors, summaries and reports.
    @Test(arguments: [["--as", "latency"], ["--as", "scenario"], ["--stats"], []])
    func theNameOfAFileDoesNothingToATerminal(options: [String]) async throws {
        let name = "x\u{1B}]0;title\u{07}\u{9B}31m\u{202E}\r.pcap"
        let bytes = CaptureFile.bytes(Self.talk)
        let outcomes = try await CaptureFile.with(bytes + [1, 2, 3], named: name) { path in
            let whole = try await Command(["decode", path] + options).run()
            let missing = try await Command(["decode", path + "x"] + options).run()
            return [whole, missing]
        }
        #expect(outcomes.map(\.status) == [1, 66], "\(outcomes)")
        for outcome in outcomes {
            for scalar in (outcome.output + outcome.errors).unicodeScalars where scalar != "\n" {
                let category = scalar.properties.generalCategory
                #expect(category != .control && category != .format, "\(outcome.all)")
            }
        }
    }
}
