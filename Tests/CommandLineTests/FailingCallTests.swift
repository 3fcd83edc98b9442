import Foundation
import Glibc
import RepositoryFiles
import Testing

/// What `run` does if a single call of a C library function fails while it starts a server. `make
/// inject` examines more calls and commands.
@Suite(.enabled(if: !Sanitizer.isUsed, "sanitizers preload a library of their own"))
struct FailingCallTests {
    @Test(arguments: 1...3) func aServerWithoutPipesIsNotStarted(_ number: Int) async throws {
        try await Self.expectNoServer(
            failing: "pipe2:\(number):\(EMFILE)", reason: "Too many open files")
    }

    /// The server runs already when the command reads whether it could be started.
    @Test func aServerWhoseStartCannotBeConfirmedIsEnded() async throws {
        try await Self.expectNoServer(
            failing: "read:1:\(EIO)", onFile: "pipe:", reason: "Input/output error")
    }

    private static func expectNoServer(
        failing call: String, onFile kind: String? = nil, reason: String
    ) async throws {
        try await Files.with(["slow.chat": RunTests.slow, "tmp/other": ""]) { folder in
            let temporary = folder.appending(path: "tmp").path
            let mark = UUID().uuidString
            var command = Command("run", "slow.chat", "--exec", "sleep 1000 {{port}}")
                .within(folder)
            command.secondsMax = 60
            command.environment = [
                "LD_PRELOAD": try await compile("scripts/inject.c", in: folder),
                "FAIL_CALL": call, "TMPDIR": temporary, "INJECTION": mark,
            ]
            command.environment["FAIL_FILE"] = kind
            let outcome = try await command.run()
            let left = try processes(with: "INJECTION=\(mark)")
            for id in left { kill(id, SIGKILL) }
            #expect(left == [])
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(
                outcome.all.contains("the server cannot be started: \(reason)"), "\(outcome.all)")
            let files = try FileManager.default.contentsOfDirectory(atPath: temporary)
            #expect(files == ["other"])
        }
    }

    /// Compiles a library that can be preloaded, and returns its path.
    private static func compile(_ source: String, in folder: URL) async throws -> String {
        let library = folder.appending(path: "preloaded.so").path
        var compiler = Command(
            "clang", "-shared", "-fPIC", "-O1", "-o", library,
            Files.root.appending(path: source).path, "-ldl")
        compiler.program = URL(filePath: "/usr/bin/env")
        compiler.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
        let compiled = try await compiler.run()
        try #require(compiled.status == 0, "\(compiled.all)")
        return library
    }

    /// Returns the processes whose environment contains the variable.
    private static func processes(with variable: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
            let environment = FileManager.default.contents(atPath: "/proc/\($0)/environ") ?? Data()
            return environment.split(separator: 0).contains { $0.elementsEqual(variable.utf8) }
        }
    }
}
