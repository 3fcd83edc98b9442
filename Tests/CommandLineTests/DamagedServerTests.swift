import Foundation
import Testing

/// `check` with a server that it starts and that a check damages: the server is replaced, so that
/// only the check with the cause fails.
struct DamagedServerTests {
    private static let server = Files.root.appending(path: "Examples/nick/server.py")
    private static let dialect = Files.root.appending(path: "Examples/nick/nick.yaml").path

    /// A bug in the example server, as a change of its source. Lines with extra fields trigger it.
    enum Bug: String, CaseIterable, Sendable {
        /// The client is never removed, and messages to it end the connection of their sender.
        case forgetsNoOne = "raise ValueError"
        /// The process ends.
        case exits = "__import__('os')._exit(3)"
        /// The process uses all of a core.
        case spins = "exec('while True: pass')"
    }

    private static func source(_ bug: Bug) throws -> String {
        let text = try String(contentsOf: server, encoding: .utf8)
        let line = "            while (line := self.rfile.readline(512)).endswith(b\"\\n\"):\n"
        let changed = text.replacing(
            line, with: line + "                if line.count(b'|') > 2: \(bug.rawValue)\n")
        #expect(changed != text)
        guard bug == .forgetsNoOne else { return changed }
        return changed.replacing(
            "with contextlib.suppress(OSError):  # the client has disconnected", with: "if True:")
    }

    @Test(arguments: Bug.allCases)
    func onlyTheCheckThatDamagesTheServerFails(bug: Bug) async throws {
        try await Files.with(["server.py": Self.source(bug)]) { folder in
            let outcome = try await Command(
                "check", "--dialect", Self.dialect, "--exec", "python3 server.py {{port}}",
                "--only", "arity.extra", "--only", "esc", "--only", "frame.foreign", "--seed", "1",
                "--repeat", "1", "--out", "out", "--report", "json=out.json"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let failed = outcome.output.split(separator: "\n").filter { $0.contains("✗ FAILED  ") }
            #expect(failed.count == 1, "\(outcome.all)")
            #expect(failed.first?.contains("arity.extra:SAY") == true, "\(outcome.all)")
            #expect(!outcome.output.contains("inconclusive"), "\(outcome.all)")
            #expect(outcome.output.contains("server output: out/server.log"), "\(outcome.all)")
            #expect(outcome.output.contains("server: replaced with a new one "), "\(outcome.all)")
            let json = try String(contentsOf: folder.appending(path: "out.json"), encoding: .utf8)
            #expect(json.contains("\"serverReplacements\""))
            if bug == .exits {
                #expect(outcome.output.contains("; the server exited with 3"), "\(outcome.all)")
            }
        }
    }

    /// A server with a fixed port cannot be replaced.
    @Test func damageOfAServerThatCannotBeReplacedIsExplained() async throws {
        let source = try String(contentsOf: Self.server, encoding: .utf8)
            .replacing("people = {}\n", with: "people = {}\nmessages = iter(range(1, 16))\n")
            .replacing("verb == \"SAY\" and", with: "verb == \"SAY\" and next(messages, 0) and")
        try await Files.with(["server.py": source]) { folder in
            let port = try StartTests.freePort()
            let outcome = try await Command(
                "check", "--dialect", Self.dialect, "--exec", "python3 server.py \(port)",
                "--server", "127.0.0.1:\(port)", "--only", "esc", "--seed", "1", "--repeat", "0"
            ).within(folder).run()
            #expect(outcome.all.contains("an earlier check may have damaged it"), "\(outcome.all)")
            #expect(!outcome.all.contains("replaced with a new one"), "\(outcome.all)")
        }
    }
}
