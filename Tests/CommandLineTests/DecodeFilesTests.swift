import Foundation
import Glibc
import Testing

/// `linejudge decode` with several captures.
struct DecodeFilesTests {
    private static let nick = "NICK alice\r\n"
    private static let join = "JOIN #room\r\n"

    /// Three files of one connection, as tcpdump rotates them.
    private static let rotated: [String: [UInt8]] = [
        "t1.pcap": CaptureFile.bytes([.init(text: nick)], startingAt: 1_700_000_000),
        "t2.pcap": CaptureFile.bytes(
            [.init(text: join, offset: nick.utf8.count)], startingAt: 1_700_000_010),
        "t3.pcap": CaptureFile.bytes(
            [.init(text: "QUIT\r\n", offset: nick.utf8.count + join.utf8.count)],
            startingAt: 1_700_000_020),
    ]

    private func decode(
        _ files: [String: [UInt8]] = rotated, _ arguments: String...
    ) async throws -> Command.Outcome {
        try await CaptureFile.withFolder(files) {
            try await Command(["decode", "--dialect", "irc"] + arguments).within($0).run()
        }
    }

    @Test(arguments: [
        ["t1.pcap", "t2.pcap", "t3.pcap"], ["t3.pcap", "t1.pcap", "t2.pcap"],
    ])
    func rotatedFilesAreOneStreamInAnyOrder(names: [String]) async throws {
        let outcome = try await CaptureFile.withFolder(Self.rotated) {
            try await Command(["decode", "--dialect", "irc", "--time", "relative"] + names)
                .within($0).run()
        }
        #expect(outcome.status == 0, "\(outcome.all)")
        let lines = outcome.output.split(separator: "\n").filter { $0.contains("→") }
        #expect(lines.count == 4, "\(outcome.all)")
        #expect(lines[1].contains("0.000000   #1 alice      → nick("))
        #expect(lines[2].contains("10.000000   #1 alice      → join("))
        #expect(lines[3].contains("20.000000   #1 alice      → quit("))
        #expect(outcome.errors.contains("3 packets, 1 connection, 3 lines"), "\(outcome.all)")
    }

    /// What cannot be decoded is reported before the other files, which may take long.
    @Test func filesThatCannotBeDecodedAreReportedFirst() async throws {
        var files = Self.rotated
        files["other.txt"] = Array("no capture".utf8)
        files["packed.zst"] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0]
        let outcome = try await CaptureFile.withFolder(files) {
            var command = Command(
                "decode", "--dialect", "irc", "t1.pcap", "other.txt", "packed.zst", "t2.pcap")
            command.environment["PATH"] = "/nonexistent"
            return try await command.within($0).run()
        }
        #expect(outcome.status == 1, "\(outcome.all)")
        let errors = outcome.errors.split(separator: "\n").map(String.init)
        #expect(errors.first?.hasPrefix("error: `other.txt`: not a pcap or pcapng file") == true)
        #expect(
            errors.contains("error: `packed.zst` is compressed, but zstd is not installed"),
            "\(errors)")
        #expect(outcome.output.contains("join("), "\(outcome.all)")
    }

    @Test func otherFormatsApplyToTheWholeStream() async throws {
        let connections = try await decode(
            Self.rotated, "t2.pcap", "t1.pcap", "t3.pcap", "--as", "connections")
        #expect(connections.status == 0)
        #expect(connections.output.split(separator: "\n").count == 2, "\(connections.all)")
        #expect(connections.output.contains("20.000"))
        let scenario = try await decode(
            Self.rotated, "t2.pcap", "t1.pcap", "t3.pcap", "--as", "scenario")
        #expect(scenario.output.contains("alice -> JOIN #room\n"), "\(scenario.all)")
        let latency = try await decode(
            Self.rotated, "t3.pcap", "t1.pcap", "t2.pcap", "--as", "latency")
        #expect(
            latency.output.contains("t3.pcap, t1.pcap, t2.pcap: 10.0.0.2:6667 (irc)"),
            "\(latency.all)")
        let filtered = try await decode(
            Self.rotated, "t3.pcap", "t1.pcap", "t2.pcap", "--from", "+5s", "--to", "+15s", "-q")
        #expect(filtered.output.contains("join(") && !filtered.output.contains("nick("))
    }

    @Test func compressedFilesAreDecompressedAndMerged() async throws {
        try await CaptureFile.withFolder(Self.rotated) { folder in
            var pack = Command("-c", "gzip t1.pcap && zstd -q --rm t3.pcap")
            pack.program = URL(filePath: "/bin/sh")
            #expect(try await pack.within(folder).run().status == 0)
            // Without --dialect, the files are opened several times.
            let outcome = try await Command("decode", "t3.pcap.zst", "t2.pcap", "t1.pcap.gz")
                .within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.errors.contains("detected irc"))
            #expect(outcome.errors.contains("3 packets, 1 connection, 3 lines"), "\(outcome.all)")
        }
    }

    /// The names are part of rows only if several files were given.
    @Test func rowsNameTheFilesOfPackets() async throws {
        let json = try await decode(
            Self.rotated, "t2.pcap", "t1.pcap", "t3.pcap", "--as", "json", "--command", "join")
        #expect(json.output.contains(#""packet":1,"file":"t2.pcap","connection":1"#))
        let lines = try await decode(
            Self.rotated, "t2.pcap", "t1.pcap", "t3.pcap", "--as", "lines")
        #expect(
            lines.output.split(separator: "\n").map { $0.prefix(9) }
                == ["t1.pcap:1", "t2.pcap:1", "t3.pcap:1"], "\(lines.all)")
        let one = try await decode(Self.rotated, "t2.pcap", "--as", "json")
        #expect(!one.output.contains("t2.pcap"), "\(one.all)")
    }

    @Test func theRowsFollowTheSchema() async throws {
        try await CaptureFile.withFolder(Self.rotated) { folder in
            let json = try await Command(
                "decode", "t1.pcap", "t2.pcap", "--dialect", "irc", "--as", "json"
            ).within(folder).run()
            try Data(json.output.utf8).write(to: folder.appending(path: "out.jsonl"))
            var check = Command(
                "120", "python3",
                Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
                Files.root.appending(path: "docs/decode-lines.schema.json").path, "out.jsonl")
            check.program = URL(filePath: "/usr/bin/timeout")
            let checked = try await check.with(environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(),
            ]).within(folder).run()
            #expect(checked.status == 0, "\(checked.all)")
        }
    }

    // MARK: Files that cannot be read

    @Test(arguments: [
        ("missing.pcap", "error: cannot read `missing.pcap`: No such file or directory"),
        ("empty.pcap", "error: `empty.pcap`: not a pcap or pcapng file: it is empty"),
        ("text.pcap", "error: `text.pcap`: not a pcap or pcapng file: it starts with the bytes"),
        (
            "cut.pcap",
            "error: `cut.pcap`: the capture ends in the middle of a record, after packet 1,"
        ),
        ("cut.pcap.gz", "error: gzip could not decompress all of `cut.pcap.gz`: "),
        (".", "error: `.` is a folder, not a capture"),
    ])
    func oneBadFileIsNamedAndTheOthersAreDecoded(name: String, message: String) async throws {
        var files = Self.rotated
        files["empty.pcap"] = []
        files["text.pcap"] = Array("no capture".utf8)
        files["cut.pcap"] = CaptureFile.bytes("PING 1\r\n", client: 0x51) + [1, 2, 3]
        try await CaptureFile.withFolder(files) { folder in
            var pack = Command("-c", "gzip -c cut.pcap | head -c -6 >cut.pcap.gz")
            pack.program = URL(filePath: "/bin/sh")
            _ = try await pack.within(folder).run()
            for options in [["--dialect", "irc"], []] {
                let outcome = try await Command(
                    ["decode", "t2.pcap", name, "t3.pcap", "t1.pcap"] + options
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                for command in ["nick(", "join(", "quit("] {
                    #expect(outcome.output.contains(command), "\(outcome.all)")
                }
                #expect(outcome.output.contains("ping(") == name.hasPrefix("cut"))
                let errors = outcome.errors.split(separator: "\n").filter {
                    $0.hasPrefix("error: ")
                }
                #expect(errors.count == 1, "\(outcome.all)")
                #expect(errors.first?.hasPrefix(message) == true, "\(outcome.all)")
            }
        }
    }

    @Test func ifNoFileCanBeReadTheExitCodeIsThatOfOneFile() async throws {
        let missing = try await decode([:], "one.pcap", "two.pcap")
        #expect(missing.status == 66, "\(missing.all)")
        #expect(
            missing.errors.contains("`one.pcap`") && missing.errors.contains("`two.pcap`"))
        let empty = try await decode(["a.pcap": [], "b.pcap": []], "a.pcap", "b.pcap")
        #expect(empty.status == 2, "\(empty.all)")
    }

    @Test func aRepeatedFileIsReadOnce() async throws {
        try await CaptureFile.withFolder(Self.rotated) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "latest.pcap").path,
                withDestinationPath: "t3.pcap")
            let outcome = try await Command(
                "decode", "latest.pcap", "t1.pcap", "t1.pcap", "t2.pcap", "t3.pcap", "--dialect",
                "irc"
            ).within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.errors.contains("3 packets, 1 connection, 3 lines"), "\(outcome.all)")
            #expect(
                outcome.errors.contains(
                    "note: `t3.pcap` is the same file as `latest.pcap` and is read only once"))
            #expect(
                outcome.errors.contains(
                    "note: `t1.pcap` is the same file as `t1.pcap` and is read only once"))
        }
    }

    @Test(arguments: [
        (["t1.pcap", "-"], "standard input (-) cannot be combined with other captures"),
        (["t1.pcap", "t2.pcap", "--follow"], "--follow supports only one file"),
        (["t1.pcap", "pipe"], "`pipe` is a pipe or device; it can only be decoded on its own"),
        (["t1.pcap", "--interface", "lo"], "--interface cannot be used together"),
    ])
    func inputsThatDoNotFitAreRefused(arguments: [String], message: String) async throws {
        try await CaptureFile.withFolder(Self.rotated) { folder in
            try #require(unsafe mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            let outcome = try await Command(["decode"] + arguments).within(folder).run()
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors.contains(message), "\(outcome.all)")
        }
    }
}
