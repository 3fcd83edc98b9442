import Foundation
import Glibc
import Testing

/// Pipes, devices, links and full disks instead of regular files.
struct SpecialFilesTests {
    /// A folder with the scenarios of ``RunTests`` and a named pipe, `pipe`.
    private func withPipe<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        try await Files.with(RunTests.files) { folder in
            try #require(makePipe(folder.appending(path: "pipe")))
            return try await body(folder)
        }
    }

    private func makePipe(_ url: URL) -> Bool { unsafe mkfifo(url.path, 0o600) == 0 }

    private func isPipe(_ url: URL) -> Bool {
        var status = stat()
        return unsafe lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private func kind(_ url: URL) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
    }

    /// The executable in a shell command with redirections.
    private func shell(_ line: String, in folder: URL) async throws -> Command.Outcome {
        var command = Command("-c", line)
        command.program = URL(filePath: "/bin/sh")
        return try await command.with(environment: ["LJ": Command.executable.path])
            .within(folder).run()
    }

    // MARK: Reports

    @Test func aReportGoesThroughAPipeAndLeavesItAPipe() async throws {
        try await withPipe { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "linked").path, withDestinationPath: "pipe")
            let linked = try await shell(
                "exec 3<>pipe; \"$LJ\" run good.chat --report tap=linked; head -n 1 <&3",
                in: folder)
            #expect(linked.output.contains("\nTAP version "), "\(linked.all)")
            #expect(isPipe(folder.appending(path: "pipe")))
        }
    }

    @Test func aPipeWithoutAReaderIs70AtOnce() async throws {
        try await withPipe { folder in
            let outcome = try await Command("run", "good.chat", "--report", "json=pipe")
                .within(folder).run()
            #expect(outcome.status == 70, "\(outcome.all)")
            #expect(outcome.errors.contains("`pipe`: the pipe has no reader"))
        }
    }

    @Test func aLinkStaysALinkThoughItsTargetIsNew() async throws {
        try await Files.with(RunTests.files) { folder in
            let link = folder.appending(path: "link.json")
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: "target.json")
            for _ in 1...2 {
                let outcome = try await Command("run", "good.chat", "--report", "json=link.json")
                    .within(folder).run()
                #expect(outcome.status == 0, "\(outcome.all)")
                #expect(try kind(link) == .typeSymbolicLink)
                #expect(try Files.text(folder.appending(path: "target.json")).hasPrefix("{"))
            }
        }
    }

    @Test func aReportKeepsThePermissionsOfTheOneBefore() async throws {
        try await Files.with(RunTests.files.merging(["run.json": ""]) { $1 }) { folder in
            let path = folder.appending(path: "run.json").path
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let outcome = try await Command("run", "good.chat", "--report", "json=run.json")
                .within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test func anotherNameOfStandardOutputIsStandardOutput() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await shell(
                "\"$LJ\" run good.chat --report json=/dev/stdout > out.json", in: folder)
            #expect(outcome.status == 0, "\(outcome.all)")
            let text = try Files.text(folder.appending(path: "out.json"))
            #expect(text.hasPrefix("{\n") && text.hasSuffix("}\n"), "\(text)")
        }
    }

    @Test func aReportIntoTheFileOfStandardOutputKeepsTheOutput() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await shell(
                "\"$LJ\" run good.chat --report tap=out.txt > out.txt; echo end >> out.txt",
                in: folder)
            #expect(outcome.status == 0, "\(outcome.all)")
            let text = try Files.text(folder.appending(path: "out.txt"))
            #expect(text.hasPrefix("linejudge "), "\(text)")
            #expect(text.contains("TAP version ") && text.hasSuffix("end\n"), "\(text)")
        }
    }

    @Test func oneReportThatCannotBeWrittenKeepsNoOtherFromIt() async throws {
        try await withPipe { folder in
            let outcome = try await Command(
                "run", "good.chat", "--report", "json=pipe", "--report", "tap=run.tap"
            ).within(folder).run()
            #expect(outcome.status == 70, "\(outcome.all)")
            #expect(try Files.text(folder.appending(path: "run.tap")).hasPrefix("TAP"))
        }
    }

    // MARK: Standard output

    @Test(arguments: [
        ("run bad.chat > /dev/full", "No space left on device"),
        ("run good.chat --format json > /dev/full", "No space left on device"),
        ("--help > /dev/full", "No space left on device"),
        ("dialect list > /dev/full", "No space left on device"),
        ("run bad.chat >&-", "it is closed"), ("--help >&-", "it is closed"),
    ])
    func whatCannotBeSaidIs70(_ line: String, _ reason: String) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await shell("\"$LJ\" \(line)", in: folder)
            #expect(outcome.status == 70, "\(outcome.all)")
            let message = "error: cannot write to standard output: \(reason)\n"
            #expect(outcome.errors.hasSuffix(message), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["2>&-", "<&-", "<&- 2>&-"])
    func otherClosedDescriptorsChangeNothing(_ redirection: String) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await shell("\"$LJ\" run bad.chat \(redirection)", in: folder)
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("1 failed"))
        }
    }

    // MARK: Scenarios and dialects

    @Test(arguments: [
        ["run", "pipe"], ["fmt", "pipe"], ["lint", "pipe"], ["dialect", "lint", "pipe"],
        ["run", "good.chat", "--dialect", "./pipe"], ["dialect", "show", "./pipe"],
        ["dialect", "new", "mine", "--from", "pipe"],
    ])
    func aPipeIsNoFileToRead(_ words: [String]) async throws {
        try await withPipe { folder in
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status == 66, "\(outcome.all)")
            #expect(outcome.errors.contains("a named pipe, not a file"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ["run", "/dev/zero"], ["lint", "/dev/zero"], ["dialect", "lint", "/dev/zero"],
        ["run", "good.chat", "--dialect", "/dev/zero"],
    ])
    func aDeviceIsNoFileToRead(_ words: [String]) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status == 66, "\(outcome.all)")
            #expect(outcome.errors.contains("a device, not a file"), "\(outcome.errors)")
        }
    }

    @Test func aFolderIsSearchedForFilesOnly() async throws {
        try await withPipe { folder in
            try #require(makePipe(folder.appending(path: "x.chat")))
            let outcome = try await Command("run", "--list", ".").within(folder).run()
            #expect(outcome.output.contains("good.chat"))
            #expect(!outcome.output.contains("x.chat"))
        }
    }

    @Test(arguments: ["run", "fmt", "lint"])
    func aFileBeyondTheLargestIs65(_ command: String) async throws {
        try await Files.with(["big.chat": String(repeating: "#", count: 5 << 20)]) { folder in
            let outcome = try await Command(command, "big.chat").within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect((outcome.output + outcome.errors).contains("larger than the maximum of"))
        }
    }
}
