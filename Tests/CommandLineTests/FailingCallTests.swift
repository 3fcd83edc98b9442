import Foundation
import Glibc
import RepositoryFiles
import Testing

/// What a command does if a single call of a C library function fails. `make inject` examines more
/// calls than these.
@Suite(.enabled(if: !Sanitizer.isUsed, "sanitizers preload a library of their own"))
struct FailingCallTests {
    /// Runs a command in which a call fails, with the processes that it leaves behind.
    private static func run(
        _ command: Command, failing call: String, onFile kind: String? = nil
    ) async throws -> (outcome: Command.Outcome, left: [pid_t]) {
        try await Files.with { folder in
            let library = folder.appending(path: "inject.so").path
            var compiler = Command(
                "clang", "-shared", "-fPIC", "-O1", "-o", library,
                Files.root.appending(path: "scripts/inject.c").path, "-ldl")
            compiler.program = URL(filePath: "/usr/bin/env")
            compiler.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]
            let compiled = try await compiler.run()
            try #require(compiled.status == 0, "\(compiled.all)")

            let mark = "INJECTION=\(UUID().uuidString)"
            var environment = [
                "LD_PRELOAD": library, "FAIL_CALL": call, "TMPDIR": folder.path,
                "INJECTION": String(mark.dropFirst("INJECTION=".count)),
            ]
            environment["FAIL_FILE"] = kind
            let outcome = try await command.with(environment: environment).run()
            let left = try processes(with: mark)
            for id in left { kill(id, SIGKILL) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == ["inject.so"], "temporary files are left")
            return (outcome, left)
        }
    }

    /// Returns the processes whose environment contains the variable.
    private static func processes(with variable: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
            let environment = FileManager.default.contents(atPath: "/proc/\($0)/environ") ?? Data()
            return environment.split(separator: 0).contains { $0.elementsEqual(variable.utf8) }
        }
    }

    private static func runWithServer(_ body: (Command) async throws -> Void) async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            var command = Command("run", "slow.chat", "--exec", "sleep 1000 {{port}}")
                .within(folder)
            command.secondsMax = 60
            try await body(command)
        }
    }

    @Test(arguments: 1...3) func aServerWithoutPipesIsNotStarted(_ number: Int) async throws {
        try await Self.runWithServer { command in
            let (outcome, left) = try await Self.run(
                command, failing: "pipe2:\(number):\(EMFILE)")
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(
                outcome.all.contains("the server cannot be started: Too many open files"),
                "\(outcome.all)")
            #expect(left == [])
        }
    }

    /// The server runs already when the command reads whether it could be started.
    @Test func aServerWhoseStartCannotBeConfirmedIsEnded() async throws {
        try await Self.runWithServer { command in
            let (outcome, left) = try await Self.run(
                command, failing: "read:1:\(EIO)", onFile: "pipe:")
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(
                outcome.all.contains("the server cannot be started: Input/output error"),
                "\(outcome.all)")
            #expect(left == [])
        }
    }
}
