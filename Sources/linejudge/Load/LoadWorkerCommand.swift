import ArgumentParser
import Console
import Diagnostics
import Jobs
import Load
import Manual
import Results
import Transport

/// The `linejudge load-worker` command, started by `load --processes`.
struct LoadWorkerCommand: AsyncParsableCommand {
    static let name = LoadJob.workerCommand

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Generate one part of a load test for another process.",
        shouldDisplay: false)

    func run() async throws {
        let process = WorkerProcess()
        guard let job = process.job() else {
            throw CommandFailure(
                .usage, .badOption, "`linejudge \(Self.name)` is for internal use",
                help: "run `linejudge load --processes 4`")
        }
        do {
            let options = EnvironmentOptions(
                of: { [CommandPage(LoadCommand.self)] }, in: Environment.ofProcess)
            let arguments = try options.complete(RenamedOptions.current(job.arguments))
            guard arguments.first == LoadCommand.configuration.commandName else {
                throw CommandFailure(
                    .software, .internalError,
                    "a load worker received arguments that are not for `load`")
            }
            let command = try LoadCommand.parse(Array(arguments.dropFirst()))
            let setup = try LoadSetup(command.request(planText: job.plan), job)
            guard let endpoint = setup.endpoint else { return }
            let fleet = try setup.fleet(against: endpoint)
            await process.run(fleet, LoadMonitor(workers: setup.options.workers))
        } catch {
            process.refuse("cannot start: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        let diagnostics =
            (error as? CommandFailure)?.diagnostics ?? (error as? Diagnosed)?.diagnostics
        return diagnostics?.first?.message ?? LoadCommand.message(for: error)
    }
}
