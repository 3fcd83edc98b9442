import Foundation
import Glibc
import RepositoryFiles
import Testing

/// Commands under low limits and on full disks end with an error, never with a signal.
struct ResourceLimitTests {
    private static let files = [
        "a.chat": "dialect irc\noperators a\n\nuse login as a\na -> PING x\n"
    ]
    private static let commands = [
        "run a.chat", "run a.chat --report json=out/run.json",
        "run a.chat --exec \"'$LJ' serve --dialect irc --listen 127.0.0.1:{{port}}\"",
        "check --dialect irc --only arity.few --out out/found",
        "load --dialect irc --operators 20 --rate 20/s --for 1s --report json=out/load.json",
        "record --dialect irc --server irc://127.0.0.1:1 -o out/x.chat",
        "decode --dialect irc --as scenario talk.pcap -o out/talk.chat", "lint a.chat",
        "fmt --check a.chat",
        "serve --dialect irc",
    ]

    /// Runs each command in a shell after the preparation.
    private static func run(
        _ preparation: String, in shell: String..., expected: (String, Command.Outcome) -> Void
    ) async throws {
        try await Files.with(files) { folder in
            try FileManager.default.copyItem(
                at: Files.root.appending(path: "Examples/captures/talk.pcap"),
                to: folder.appending(path: "talk.pcap"))
            for line in commands {
                let text = "mkdir -p out; \(preparation); exec timeout 20 \"$LJ\" \(line)"
                var command = Command(shell + ["sh", "-c", text])
                command.program = URL(filePath: "/usr/bin/env")
                let outcome = try await command.with(
                    environment: ["LJ": Command.executable.path, "TMPDIR": folder.path]
                ).within(folder).run()
                // A shell reports a signal as 128 and its number; 124 is that of `timeout`.
                #expect((0...124).contains(outcome.status), "\(line): \(outcome.all)")
                expected(line, outcome)
            }
        }
    }

    private static func connects(_ line: String) -> Bool {
        ["run", "check", "load", "record", "serve"].contains { line.hasPrefix($0) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [8, 16, 32, 40])
    func fewOpenFilesAreAnError(_ count: Int) async throws {
        try await Self.run("ulimit -n \(count)") { line, outcome in
            guard Self.connects(line) else { return }
            #expect(outcome.status == 64, "\(line): \(outcome.all)")
            #expect(outcome.errors.contains("the open-file limit is \(count)"), "\(outcome.all)")
        }
    }

    @Test(
        .timeLimit(.minutes(10)), .disabled(if: Sanitizer.isUsed, "sanitizers reserve terabytes"),
        arguments: [300, 600])
    func littleAddressSpaceIsAnError(_ mebibytes: Int) async throws {
        try await Self.run("ulimit -v \(mebibytes << 10)") { line, outcome in
            guard Self.connects(line) else { return }
            #expect(outcome.status == 64, "\(line): \(outcome.all)")
            #expect(
                outcome.errors.contains("limited to \(mebibytes) MiB"), "\(line): \(outcome.all)")
        }
    }

    /// The limits that ``ResourceLimits`` asks for are enough.
    @Test(.timeLimit(.minutes(10)))
    func theLimitsThatErrorsNameAreEnough() async throws {
        for (option, name) in [("-n", "open-file"), ("-v", "address space")]
        where option == "-n" || !Sanitizer.isUsed {
            let few = option == "-n" ? "16" : "400000"
            try await Files.with(Self.files) { folder in
                func run(_ limit: String) async throws -> Command.Outcome {
                    var command = Command(
                        "-c", "ulimit \(option) \(limit); exec \"$LJ\" run a.chat")
                    command.program = URL(filePath: "/bin/sh")
                    return try await command.with(environment: ["LJ": Command.executable.path])
                        .within(folder).run()
                }
                let refused = try await run(few)
                #expect(refused.errors.contains(name), "\(refused.all)")
                let hint = try #require(
                    refused.errors.split(separator: "ulimit \(option) ").last?
                        .prefix { $0.isNumber })
                let accepted = try await run(String(hint))
                #expect(accepted.status == 0, "\(accepted.all)")
            }
        }
    }

    /// True if a small disk can be mounted, as root outside most containers.
    private static let canMount = unsafe system("unshare -m true 2>/dev/null") == 0

    /// A small disk that fills up while reports are written.
    @Test(
        .timeLimit(.minutes(10)), .enabled(if: canMount, "needs root"),
        arguments: ["16k", "96k", "200k"])
    func aFullDiskIsAnError(_ size: String) async throws {
        let mount = "mount -t tmpfs -o size=\(size) full out"
        try await Self.run(mount, in: "unshare", "-m") { line, outcome in
            guard line.contains("out/") else { return }
            #expect([0, 1, 2, 66, 69, 70].contains(outcome.status), "\(line): \(outcome.all)")
        }
    }
}
