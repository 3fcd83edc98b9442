import Foundation
import Testing

/// A dialect file in another folder with a small Python server: the scenarios that `check` writes
/// load from any folder, fail on the faulty server and pass on the healthy one.
struct UserDialectTests {
    private static let fixtures = Files.root.appending(path: "Tests/CommandLineTests/Fixtures")

    /// Starts the server on the port that Linejudge chooses.
    private static func server(_ fault: String) -> String {
        let script = fixtures.appending(path: "toy.py").path
        return "python3 \(script) {{port}}" + (fault.isEmpty ? "" : " \(fault)")
    }

    @Test(arguments: [
        ("empty", "frame.empty"), ("partial", "frame.eof"), ("partial", "reconn.mid"),
        ("twice", "frame.eof"),
    ])
    func writtenFailuresFailOnTheFaultyServerAndPassOnTheHealthyOne(
        _ fault: String, _ rule: String
    ) async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "check", "--dialect", Self.fixtures.appending(path: "toy.yaml").path, "--exec",
                Self.server(fault), "--only", rule, "--out", "failures", "--seed", "1", "--repeat",
                "1"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let failures = folder.appending(path: "failures")
            let written = try FileManager.default.contentsOfDirectory(atPath: failures.path)
                .filter { $0.hasSuffix(".chat") }.sorted()
            #expect(!written.isEmpty, "\(outcome.all)")
            for name in written {
                let faulty = try await printed(outcome.output, "failures/\(name)", folder)
                #expect(faulty.status == 1, "\(name) on the faulty server: \(faulty.all)")
                let healthy = try await run(failures.appending(path: name).path, "", failures)
                #expect(healthy.status == 0, "\(name) on the healthy server: \(healthy.all)")
            }
        }
    }

    @Test func theBaseOfADialectIsWrittenAsWell() async throws {
        try await Files.with([
            "shared/toy.yaml": try String(
                contentsOf: Self.fixtures.appending(path: "toy.yaml"), encoding: .utf8),
            "mine/toy.yaml": "name: mine\nbased-on: ../shared/toy.yaml\n",
        ]) { folder in
            let outcome = try await Command(
                "check", "--dialect", "mine/toy.yaml", "--exec", Self.server("empty"), "--only",
                "frame.empty", "--out", "out/failures", "--seed", "1", "--repeat", "1"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            for name in ["shared", "mine"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            let scenario = "out/failures/frame.empty.chat"
            let faulty = try await run(scenario, "empty", folder)
            #expect(faulty.status == 1, "\(faulty.all)")
            let healthy = try await run(scenario, "", folder)
            #expect(healthy.status == 0, "\(healthy.all)")
        }
    }

    /// Runs the command that `check` prints for a scenario in a shell.
    private func printed(
        _ output: String, _ scenario: String, _ folder: URL
    ) async throws -> Command.Outcome {
        let start = try #require(output.range(of: "linejudge run \(scenario) --exec"))
        let line = output[start.lowerBound...].prefix { !$0.isNewline }
        var shell = Command("-c", String(line))
        shell.program = URL(filePath: "/bin/sh")
        let programs = Command.executable.deletingLastPathComponent().path
        return try await shell.with(environment: ["PATH": "\(programs):/usr/bin:/bin"])
            .within(folder).run()
    }

    private func run(_ scenario: String, _ fault: String, _ folder: URL) async throws
        -> Command.Outcome
    {
        try await Command("run", scenario, "--exec", Self.server(fault)).within(folder).run()
    }
}
