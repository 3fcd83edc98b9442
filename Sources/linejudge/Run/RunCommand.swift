import ArgumentParser
import Diagnostics
import Report
import Results
import Runner

/// `linejudge run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play scenarios against a server, and say what differed.",
        usage: "linejudge run [OPTIONS] FILES",
        discussion: """
            Without --server and --exec, the scenarios are played against the built-in reference \
            server.

            Exit codes:
              0    every expectation was met, or fails as it is known to
              1    an expectation was not met
              2    something could not be decided, or nothing was played
              64   the command line is wrong
              65   a scenario or dialect does not parse, or a scenario does nothing
              66   there is no such scenario or dialect, or none is selected
              69   the server could not be reached
              70   a fault of linejudge, or a report or standard output that cannot
                   be written
              130  ended by SIGINT, 143 by SIGTERM; the reports are written
            """)

    @OptionGroup(title: "The server") var target: TargetOptions
    @OptionGroup(title: "What is played") var selection: SelectionOptions
    @OptionGroup(title: "How it is played") var playing: RunExecutionOptions
    @OptionGroup(title: "What is shown") var showing: ShowingOptions

    @Argument(
        help: ArgumentHelp(
            "Files, folders, globs, FILE:LINE, or - for standard input.", valueName: "files"))
    var paths: [String]

    func run() async throws {
        let interruptions = Interruptions()
        // Before anything is played, so that what is changed meanwhile is noticed.
        var watch = playing.watch ? ScenarioWatch(paths) : nil
        var code = try await playOnce(interruptions)
        guard playing.watch, !selection.list, !selection.dryRun else {
            if code != .ok { throw CommandFailure(code) }
            return
        }
        while code != .interrupted, code != .terminated {
            Output.error.write("waiting for a change; control-C ends\n")
            guard try await watch?.next(interruptions) == true else {
                throw CommandFailure(.interrupted)
            }
            do {
                code = try await playOnce(interruptions)
            } catch let failure as CommandFailure where failure.code != .usage {
                Output.error.write(DiagnosticRenderer().text(failure.diagnostics))
            }
        }
        throw CommandFailure(code)
    }

    private func playOnce(_ interruptions: Interruptions) async throws -> Ending {
        // Short enough to be typed again.
        let seed = playing.seed ?? UInt64.random(in: 1...999_999)
        let setup = try RunSetup(self, seed: seed)
        let play = RunJob(command: self, setup: setup, interruptions: interruptions)
        let scenarios = try play.scenarios(paths)
        if selection.list { return play.list(scenarios) }
        if selection.dryRun { return play.check(scenarios) }
        return try await play.run(scenarios)
    }
}
