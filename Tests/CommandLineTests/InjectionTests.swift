import Foundation
import Testing

/// Commands in which a single system call fails. `make inject` tries more calls.
struct InjectionTests {
    @Test(arguments: [("load", ["send", "recv", "write"]), ("run", ["send", "write", "rename"])])
    func commandsSurviveTheFailureOfAnyCall(_ name: String, _ functions: [String]) async throws {
        var command = Command(
            ["-n", "2", "-s", "1", name] + functions.flatMap { ["-f", $0] })
        command.program = Files.root.appending(path: "scripts/inject.py")
        let outcome = try await command.with(
            environment: ["LINEJUDGE": Command.executable.path]
        ).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("\(name): write, "), "\(outcome.all)")
    }
}
