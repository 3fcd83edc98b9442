import Foundation
import Testing

/// `linejudge decode --as deliveries`, on captures of servers with and without faults.
struct DeliveriesTests {
    static let isPossible = CapturedTraffic.isPossible

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: ["irc", "jsonl", "livechat"])
    func aServerWithoutFaultsHasNoProblems(dialect: String) async throws {
        try await CapturedTraffic.ofReferenceServer(
            dialect, [], scenario: CapturedTraffic.talk(dialect)
        ) { path in
            let outcome = try await Command(
                "decode", path, "--dialect", dialect, "--as", "deliveries", "--expect"
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                outcome.output.contains("12 messages, 24 of 24 deliveries to known members"),
                "\(outcome.all)")
            #expect(outcome.output.contains("; no problems\n"))
        }
    }

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: ["irc", "jsonl", "livechat"],
        [
            "drop": "missing", "duplicate": "duplicate", "swap": "out-of-order",
            "mutate": "altered", "leak": "leaked",
        ])
    func eachFaultIsFound(dialect: String, fault: (key: String, value: String)) async throws {
        try await CapturedTraffic.ofReferenceServer(
            dialect, ["--fault", fault.key], scenario: CapturedTraffic.talk(dialect)
        ) { path in
            let outcome = try await Command(
                "decode", path, "--dialect", dialect, "--as", "deliveries-json", "--expect"
            ).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error:") }
            #expect(errors.count == 1 && errors[0].contains(fault.value), "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 13)
            #expect(lines.contains { $0.contains("\"\(fault.value)\"") }, "\(outcome.output)")
            try Data(outcome.output.utf8).write(to: URL(filePath: path + ".jsonl"))
            try await Self.validate(path + ".jsonl")
        }
    }

    @Test(
        .enabled(
            if: isPossible && FileManager.default.isExecutableFile(atPath: "/usr/sbin/ngircd"),
            "needs root, tcpdump and ngIRCd"))
    func aRealServerHasNoProblems() async throws {
        try await CapturedTraffic.ofNgircd(scenario: CapturedTraffic.talk("irc")) { path in
            let outcome = try await Command(
                "decode", path, "--dialect", "irc", "--as", "deliveries", "--expect"
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                outcome.output.contains("12 messages, 24 of 24 deliveries to known members"),
                "\(outcome.all)")
            let checked = try await Command(
                "check", "--capture", path, "--dialect", "irc", "--no-ci"
            ).run()
            #expect(checked.status == 0, "\(checked.all)")
            #expect(checked.output.contains("10 passed"), "\(checked.all)")
        }
    }

    @Test(arguments: [
        ["--operator", "alice"], ["--command", "privmsg"], ["--connection", "1"],
        ["--from", "+1s"],
        ["--to", "+1s"], ["--stats"], ["--anonymise"], ["--report", "json=-"], ["--slice", "-"],
        ["--dialect", "irc@6667"],
    ])
    func optionsThatDoNotFitAreRefused(options: [String]) async throws {
        try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\n")) { path in
            let outcome = try await Command(
                ["decode", path, "--as", "deliveries"] + options
            ).run()
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors.contains(options[0]) || options[0] == "--dialect")
        }
    }

    @Test func expectRequiresMessages() async throws {
        try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\nUSER a 0 * :A\r\n")) { path in
            let outcome = try await Command(
                "decode", path, "--dialect", "irc", "--as", "deliveries", "--expect"
            ).run()
            #expect(outcome.status == 2, "\(outcome.all)")
            #expect(outcome.errors.contains("no message to a known member"))
            let other = try await Command("decode", path, "--dialect", "irc", "--expect").run()
            #expect(
                other.status == 64 && other.errors.contains("--expect requires --as deliveries"))
        }
    }

    @Test func theOutputMatchesTheSchema() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "decode", Files.root.appending(path: "Examples/captures/talk.pcap").path,
                "--dialect", "irc", "--as", "deliveries-json"
            ).run()
            let file = folder.appending(path: "out.jsonl")
            try Data(outcome.output.utf8).write(to: file)
            try await Self.validate(file.path)
        }
    }

    /// Validates each line of the file.
    private static func validate(_ path: String) async throws {
        var check = Command(
            "120", "python3",
            Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
            Files.root.appending(path: "docs/deliveries.schema.json").path, path)
        check.program = URL(filePath: "/usr/bin/timeout")
        let checked = try await check.with(environment: [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(),
        ]).run()
        #expect(checked.status == 0, "\(checked.all)")
    }
}
