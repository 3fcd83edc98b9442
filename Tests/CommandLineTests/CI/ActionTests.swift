import Foundation
import Testing

/// `action.yml`, against a server in Python.
struct ActionTests {
    private static let server = "python3 \(Files.root.path)/Examples/tilde/server.py {{port}}"
    private static let dialect = Files.root.appending(path: "Examples/tilde/tilde.yaml").path

    private static func inputs(_ more: [String: String]) -> [String: String] {
        ["path": Command.executable.path, "exec": server].merging(more) { $1 }
    }

    private static func talk(expecting text: String) throws -> [String: String] {
        let tilde = Files.root.appending(path: "Examples/tilde")
        return [
            "my tests/tilde.yaml": try Files.text(tilde.appending(path: "tilde.yaml")),
            "my tests/talk.chat": try Files.text(tilde.appending(path: "talk.chat"))
                .replacing(
                    "said(name: \"alice\", text: \"1", with: "said(name: \"alice\", text: \"\(text)"
                ),
        ]
    }

    @Test func scenariosThatPassEndWith0AndLeaveReports() async throws {
        try await Files.with(try Self.talk(expecting: "1")) { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs([
                    "files": "'my tests/talk.chat'", "arguments": "--retry 1 --tag '!slow'",
                ]),
                in: folder)
            #expect(outcome.status == 0, "\(outcome.log)")
            #expect(
                outcome.outputs == ["exit-code": "0", "report-folder": "linejudge-reports"])
            let reports = folder.appending(path: "linejudge-reports")
            let names = try FileManager.default.contentsOfDirectory(atPath: reports.path)
            #expect(names.sorted() == ["linejudge.html", "linejudge.json", "linejudge.xml"])
            let upload = try #require(outcome.used["actions/upload-artifact@v4"])
            #expect(upload["path"] == "linejudge-reports")
            #expect(upload["name"] == "linejudge-reports")
        }
    }

    @Test func aFailureEndsWith1AndKeepsTheReports() async throws {
        try await Files.with(try Self.talk(expecting: "2")) { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs(["files": "'my tests'", "reports": "junit"]), in: folder)
            #expect(outcome.status == 1, "\(outcome.log)")
            #expect(outcome.outputs["exit-code"] == "1")
            #expect(outcome.used.count == 1)
            let report = try Files.text(folder.appending(path: "linejudge-reports/linejudge.xml"))
            #expect(report.contains("<failure"))
        }
    }

    @Test func checksRunWithADialect() async throws {
        try await Files.with { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs([
                    "command": "check", "dialect": Self.dialect, "arguments": "--only esc",
                    "reports": "sarif tap", "upload": "false",
                ]), in: folder)
            #expect([0, 2].contains(outcome.status), "\(outcome.log)")
            #expect(outcome.outputs["exit-code"] == "\(outcome.status)")
            #expect(outcome.used.isEmpty)
            let tap = try Files.text(folder.appending(path: "linejudge-reports/linejudge.tap"))
            #expect(tap.hasPrefix("TAP version"))
        }
    }

    @Test func aServerThatIsNotThereIsReported() async throws {
        try await Files.with(try Self.talk(expecting: "1")) { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs(["exec": "", "server": "127.0.0.1:9", "files": "'my tests'"]),
                in: folder)
            #expect(outcome.status == 69, "\(outcome.log)")
            #expect(outcome.outputs["exit-code"] == "69")
        }
    }

    @Test(arguments: [
        (["command": "load"], "input command must be run or check, but is load", 64),
        (["files": " "], "input files is empty", 64),
        (["files": "don't"], "input files: quotes do not match", 64),
        (["reports": "pdf"], "input reports: unknown format pdf", 64),
        (["path": "no/such"], "input path: no/such is not a program", 1),
        (["path": "", "version": "9.9"], "cannot download", 1),
    ])
    func aWrongInputIsNamed(_ input: [String: String], _ message: String, _ status: Int32)
        async throws
    {
        try await Files.with { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs(input), in: folder, serverURL: folder.absoluteString)
            #expect(outcome.status == status, "\(outcome.log)")
            #expect(outcome.log.contains("::error title=Linejudge::" + message), "\(outcome.log)")
        }
    }

    @Test func anInputCannotAddAWorkflowCommandOrRunOne() async throws {
        try await Files.with { folder in
            let outcome = try await CompositeAction().run(
                Self.inputs(["command": "x\n::set-env::y $(touch pwned) `touch pwned`"]),
                in: folder)
            #expect(outcome.status == 64, "\(outcome.log)")
            #expect(!outcome.log.contains("\n::set-env"))
            #expect(
                !FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
        }
    }

    @Test func theDefaultVersionIsThatOfTheProgram() async throws {
        let version = try await Command("--version").run().output
        #expect(try CompositeAction().defaults["version"].map { $0 + "\n" } == version)
    }

    @Test(arguments: [true, false])
    func aDownloadIsUsedOnlyIfItsChecksumMatches(isWhole: Bool) async throws {
        try await Files.with { folder in
            let release = ReleaseFolder(folder)
            try await release.make(isWhole: isWhole)
            let outcome = try await CompositeAction().run(
                ["files": "any", "upload": "no"], in: folder, serverURL: folder.absoluteString)
            #expect(outcome.status == (isWhole ? 3 : 1), "\(outcome.log)")
            #expect(outcome.log.contains("does not match its checksum") == !isWhole)
            #expect(outcome.log.contains("arguments: run any --report html=") == isWhole)
        }
    }
}

/// A release with a program that prints its arguments and ends with 3, where the action looks for it.
struct ReleaseFolder {
    let url: URL

    init(_ root: URL) { url = root.appending(path: "owner/linejudge/releases/download/v0.1.0") }

    /// - Parameter isWhole: whether the archive is the one of the checksum.
    func make(isWhole: Bool = true) async throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var command = Command(
            "-ec",
            """
            name=linejudge-0.1.0-linux-$(uname -m)
            mkdir $name
            printf '#!/bin/sh\\n[ $1 = --version ] && echo 0.1.0 || { echo arguments: $*; exit 3; }\\n' \\
                >$name/linejudge
            chmod +x $name/linejudge
            tar -czf $name.tar.gz $name
            sha256sum $name.tar.gz >SHA256SUMS
            [ "$0" = true ] || echo more >>$name.tar.gz
            ln $name.tar.gz archive.tar.gz
            """, "\(isWhole)")
        command.program = URL(filePath: "/bin/bash")
        let outcome = try await command.within(url).run()
        try #require(outcome.status == 0, "\(outcome.all)")
    }
}
