import Foundation
import Glibc
import Testing

/// `linejudge decode --slice`.
struct DecodeSliceTests {
    /// Two connections whose segments alternate. Only the last line of the first is a QUIT.
    private static let capture: [UInt8] = {
        var segments: [CaptureFile.Segment] = []
        for texts in [
            ("NICK alice\r\n", "NICK bob\r\n"), ("PING 1\r\n", "PING 2\r\n"),
            ("QUIT\r\n", "JOIN #a\r\n"),
        ] {
            for (text, client) in [(texts.0, UInt8(0x50)), (texts.1, 0x51)] {
                let before = segments.filter { $0.client == client }
                segments.append(
                    .init(
                        text: text, client: client,
                        offset: before.reduce(0) { $0 + $1.text.utf8.count }))
            }
        }
        return CaptureFile.bytes(segments)
    }()

    private func shell(_ line: String, in folder: URL) async throws -> Command.Outcome {
        var command = Command("-c", line)
        command.program = URL(filePath: "/bin/sh")
        return try await command.with(environment: [
            "LJ": Command.executable.path, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
        ]).within(folder).run()
    }

    private func with<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        try await CaptureFile.withFolder(["all.pcap": Self.capture], body)
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// tcpdump prints the times and bytes of all packets.
    private static let dump = "tcpdump -n -tttt -xx -r"

    /// With one pass, two passes, and packets that are held.
    @Test(arguments: [
        "all.pcap --slice out.pcapng", "all.pcap --slice out.pcapng --operator alice",
        "- --slice out.pcapng --operator alice <all.pcap",
        "- --slice - <all.pcap | cat >out.pcapng",
    ])
    func anonymisedSlicesHaveNoNames(arguments: String) async throws {
        try await with { folder in
            let made = try await shell(
                "\"$LJ\" decode --dialect irc --anonymise \(arguments)", in: folder)
            #expect(made.status == 0 && made.errors.contains("replaced: "), "\(made.all)")
            let bytes = try Data(contentsOf: folder.appending(path: "out.pcapng"))
            for name in ["alice", "bob"] { #expect(bytes.firstRange(of: Data(name.utf8)) == nil) }
            let read = try await shell("tcpdump -n -vv -r out.pcapng", in: folder)
            #expect(read.output.contains("(correct)") && read.output.contains("198.18.0.1"))
            #expect(!read.output.contains("incorrect") && !read.output.contains("bad"))
            let lines = try await shell(
                "\"$LJ\" decode out.pcapng --dialect irc --as lines -q", in: folder)
            let commands = lines.output.split(separator: "\n").map { line in
                String(line.split(separator: "\t").last?.prefix { $0 != " " } ?? "")
            }
            let isOne = arguments.contains("alice")
            #expect(
                commands.sorted()
                    == (isOne
                        ? ["NICK", "PING", "QUIT"]
                        : ["JOIN", "NICK", "NICK", "PING", "PING", "QUIT"]),
                "\(lines.all)")
        }
    }

    /// From a file, a compressed file, and standard input.
    @Test(arguments: [
        "all.pcap --slice out.pcapng", "all.pcap.gz --slice out.pcapng",
        "- --slice out.pcapng <all.pcap", "- --slice out.pcapng <all.pcap.gz",
        "all.pcap --slice - >out.pcapng", "- --slice - <all.pcap | cat >out.pcapng",
    ])
    func tcpdumpReadsTheWholeSelectedConnection(arguments: String) async throws {
        try await with { folder in
            _ = try await shell("gzip -k all.pcap", in: folder)
            let made = try await shell(
                "\"$LJ\" decode --dialect irc --command quit \(arguments)", in: folder)
            #expect(made.status == 0, "\(made.all)")
            #expect(made.output.contains("quit(") == !arguments.contains("--slice -"))
            #expect(made.errors.contains("wrote 3 packets of 1 connection to"), "\(made.all)")
            let slice = try await shell("\(Self.dump) out.pcapng", in: folder)
            let whole = try await shell("\(Self.dump) all.pcap tcp port 50000", in: folder)
            #expect(slice.status == 0, "\(slice.all)")
            #expect(slice.output == whole.output && !slice.output.isEmpty, "\(slice.all)")
            let again = try await shell(
                "\"$LJ\" decode out.pcapng --dialect irc --as lines", in: folder)
            #expect(again.output == "1\t1\t→\tNICK alice\n2\t1\t→\tPING 1\n3\t1\t→\tQUIT\n")
            #expect(try names(folder) == ["all.pcap", "all.pcap.gz", "out.pcapng"])
        }
    }

    @Test func theSliceOfSeveralFilesContainsAllTheirInterfaces() async throws {
        let later = CaptureFile.pcapng(
            [
                .init(text: "PING 3\r\n", client: 0x51, offset: 27),
                .init(text: "PING 4\r\n", client: 0x52),
            ],
            at: [1_700_000_100_000_000, 1_700_000_100_500_000], resolution: 6)
        let files = ["all.pcap": Self.capture, "later.pcapng": later]
        try await CaptureFile.withFolder(files) { folder in
            let made = try await shell(
                "\"$LJ\" decode later.pcapng all.pcap --operator bob --slice bob.pcapng "
                    + "--as json --dialect irc", in: folder)
            #expect(made.status == 0, "\(made.all)")
            #expect(made.output.contains(#""packet":1,"file":"later.pcapng","connection":2"#))
            #expect(made.errors.contains("wrote 4 packets of 1 connection to `bob.pcapng`\n"))
            let again = try await shell(
                "\"$LJ\" decode bob.pcapng --dialect irc --time full", in: folder)
            for text in ["nick(", "ping(token: \"2\"", "join(", "ping(token: \"3\""] {
                #expect(again.output.contains(text), "\(again.all)")
            }
            #expect(again.output.contains("2023-11-14T22:15:00.000000000Z"), "\(again.all)")
            #expect(!again.output.contains("alice") && !again.output.contains("\"4\""))
        }
    }

    @Test func damagedCapturesAreSlicedAsFarAsTheyCanBeRead() async throws {
        try await CaptureFile.withFolder(["cut.pcap": Self.capture + [1, 2, 3]]) { folder in
            for input in ["cut.pcap", "cut.pcap missing.pcap", "- <cut.pcap"] {
                let made = try await shell(
                    "\"$LJ\" decode --dialect irc --command quit --slice out.pcapng \(input)",
                    in: folder)
                #expect(made.status == 1, "\(made.all)")
                #expect(made.errors.contains("wrote 3 packets of 1 connection"), "\(made.all)")
            }
        }
    }

    @Test func ifNothingIsSelectedNothingIsWritten() async throws {
        try await with { folder in
            for (option, status) in [("--operator zoe", 2), ("--connection 9", 2)]
                as [(String, Int32)]
            {
                let made = try await shell(
                    "echo old >out.pcapng; \"$LJ\" decode all.pcap --dialect irc \(option) "
                        + "--slice out.pcapng", in: folder)
                #expect(made.status == status, "\(made.all)")
                #expect(made.errors.contains("no packets selected; `out.pcapng` was not written"))
                #expect(try Files.text(folder.appending(path: "out.pcapng")) == "old\n")
            }
            let piped = try await shell(
                "\"$LJ\" decode all.pcap --dialect irc --operator zoe --slice - | wc -c",
                in: folder)
            #expect(piped.output.trimmingCharacters(in: .whitespaces) == "0\n", "\(piped.all)")
        }
    }

    /// A connection without lines, such as an encrypted one, can be cut out.
    @Test func aSliceWithoutLinesIsNoFailure() async throws {
        let encrypted = CaptureFile.bytes("\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}xxxxxxxxxxxxxxx")
        try await CaptureFile.withFolder(["tls.pcap": encrypted]) { folder in
            let made = try await shell(
                "\"$LJ\" decode tls.pcap --dialect irc --port 6667 --slice out.pcapng", in: folder)
            #expect(made.status == 0, "\(made.all)")
            let plain = try await shell("\"$LJ\" decode tls.pcap --dialect irc", in: folder)
            #expect(plain.status == 2, "\(plain.all)")
        }
    }

    // MARK: Files that must not be written

    @Test(arguments: [
        ("all.pcap", "the slice would replace the input `all.pcap`"),
        ("linked.pcap", "the slice would replace the input `all.pcap`"),
        ("out.txt", "standard output already goes to `out.txt`"),
    ])
    func inputsAndOutputsAreNotReplaced(target: String, message: String) async throws {
        try await with { folder in
            _ = try await shell("ln -s all.pcap linked.pcap", in: folder)
            for input in ["all.pcap", "- <all.pcap", "missing.pcap all.pcap"] {
                let made = try await shell(
                    "\"$LJ\" decode --slice \(target) \(input) >out.txt", in: folder)
                #expect(made.status == 64, "\(made.all)")
                let text =
                    input.hasPrefix("-") ? message.replacing("`all.pcap`", with: "`-`") : message
                #expect(made.errors.contains(text), "\(made.all)")
                #expect(
                    try Data(contentsOf: folder.appending(path: "all.pcap")) == Data(Self.capture))
            }
        }
    }

    @Test func aSliceThatCannotBeWrittenIsReported() async throws {
        try await with { folder in
            let nowhere = try await shell(
                "touch file; \"$LJ\" decode all.pcap --dialect irc --slice file/out.pcapng",
                in: folder)
            #expect(nowhere.status == 70, "\(nowhere.all)")
            #expect(nowhere.errors.contains("cannot write the slice `file/out.pcapng`"))
            for options in ["", "--command quit"] {
                let full = try await shell(
                    "\"$LJ\" decode all.pcap --dialect irc --slice /dev/full \(options)",
                    in: folder)
                #expect(full.status == 70, "\(full.all)")
                #expect(
                    full.errors.contains("cannot write the slice `/dev/full`: No space left"),
                    "\(full.all)")
            }
        }
    }

    @Test func aSliceKeepsThePermissionsOfTheFileThatItReplaces() async throws {
        try await with { folder in
            let made = try await shell(
                "echo old >out.pcapng; chmod 640 out.pcapng; ln -s out.pcapng link; "
                    + "\"$LJ\" decode all.pcap --dialect irc --slice link -q >/dev/null; "
                    + "stat -c '%a %F' out.pcapng link; \(Self.dump) out.pcapng | grep -c ' IP '",
                in: folder)
            #expect(made.output == "640 regular file\n777 symbolic link\n6\n", "\(made.all)")
        }
    }

    @Test(arguments: [
        (["--slice", "-", "--as", "json"], "--slice - cannot be used with --as json"),
        (["--slice", "/dev/stdout", "--stats"], "--slice - cannot be used with --stats"),
    ])
    func optionsThatDoNotFitAreRefused(options: [String], message: String) async throws {
        try await with { folder in
            let made = try await Command(["decode", "all.pcap", "--slice", "out.pcapng"] + options)
                .within(folder).run()
            #expect(made.status == 64, "\(made.all)")
            #expect(made.errors.contains(message), "\(made.all)")
            #expect(try names(folder) == ["all.pcap"])
        }
    }

    // MARK: Input that can be read only once

    /// More traffic than can be held comes before the line that selects the connection.
    @Test func missingFirstPacketsOfAStreamAreReported() async throws {
        let other = "PRIVMSG #a :" + String(repeating: "x", count: 60_000) + "\r\n"
        var segments = [CaptureFile.Segment(text: "NICK alice\r\n")]
        for index in 0..<290 {
            segments.append(.init(text: other, client: 0x51, offset: index * other.utf8.count))
        }
        segments.append(.init(text: "QUIT\r\n", offset: 12))
        let files = ["big.pcap": CaptureFile.bytes(segments)]
        try await CaptureFile.withFolder(files) { folder in
            let options = "--dialect irc --command quit --slice out.pcapng"
            let once = try await shell("\"$LJ\" decode - \(options) <big.pcap", in: folder)
            #expect(once.status == 0, "\(once.all)")
            #expect(once.errors.contains("wrote 1 packet of 1 connection"), "\(once.all)")
            #expect(
                once.errors.contains(
                    "warning: the first packets of 1 connection are missing from the slice: they "
                        + "came more than 16 MiB before the first selected line"), "\(once.all)")
            let twice = try await shell("\"$LJ\" decode big.pcap \(options)", in: folder)
            #expect(twice.errors.contains("wrote 2 packets of 1 connection"), "\(twice.all)")
            #expect(!twice.errors.contains("missing from the slice"))
            // If the connection is known, nothing has to be held.
            let known = try await shell(
                "\"$LJ\" decode - --dialect irc --connection 1 --slice out.pcapng <big.pcap",
                in: folder)
            #expect(known.errors.contains("wrote 2 packets of 1 connection"), "\(known.all)")
        }
    }

    @Test func aFollowedFileIsSlicedUntilTheInterruption() async throws {
        try await with { folder in
            let decoding = try Command(
                "decode", "all.pcap", "--follow", "--dialect", "irc", "--command", "quit",
                "--slice", "out.pcapng"
            ).within(folder).start()
            let end = DispatchWorkItem { decoding.send(SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 150, execute: end)
            defer { end.cancel() }
            var line = "-"
            while !line.isEmpty, !line.contains("quit(") { line = try decoding.line() }
            #expect(!line.isEmpty)
            decoding.send(SIGINT)
            let outcome = try await decoding.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(outcome.errors.contains("wrote 3 packets of 1 connection"), "\(outcome.all)")
            #expect(try names(folder) == ["all.pcap", "out.pcapng"])
        }
    }
}
