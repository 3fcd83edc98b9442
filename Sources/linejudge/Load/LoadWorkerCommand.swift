import ArgumentParser
import Diagnostics
import Load
import Results
import Runner
import Transport

/// `linejudge load-worker`: what `load --processes` starts. Nobody types it.
struct LoadWorkerCommand: AsyncParsableCommand {
    static let name = "load-worker"

    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Make a part of a load for another process.",
        shouldDisplay: false)

    func run() async throws {
        let process = WorkerProcess()
        guard let job = process.job() else {
            throw CommandFailure(
                .usage, .badOption, "`linejudge \(Self.name)` is started by linejudge itself",
                help: "write `linejudge load --processes 4`")
        }
        do {
            let arguments = try EnvironmentOptions.complete(
                job.arguments, from: Environment.ofProcess)
            guard arguments.first == LoadCommand.configuration.commandName else {
                throw CommandFailure(.software, .internalError, "these are no arguments of a load")
            }
            let command = try LoadCommand.parse(Array(arguments.dropFirst()))
            let setup = try LoadSetup(command, job)
            guard let endpoint = setup.endpoint else { return }
            let fleet = try Fleet(
                setup.knowing(endpoint).plan, setup.options, against: endpoint,
                security: setup.security)
            await process.play(fleet, LoadMonitor(workers: setup.options.workers))
        } catch {
            process.refuse("cannot begin: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        let diagnostics =
            (error as? CommandFailure)?.diagnostics ?? (error as? Diagnosed)?.diagnostics
        return diagnostics?.first?.message ?? LoadCommand.message(for: error)
    }
}

extension LoadSetup {
    /// What each of several processes is told.
    func job(against endpoint: Endpoint) -> WorkerJob {
        WorkerJob(
            arguments: Array(CommandLine.arguments.dropFirst()), plan: planText,
            server: endpoint.description, dialect: dialectName, seed: plan.seed, run: plan.run,
            rate: heldRate, duration: options.duration, connectAt: options.connectAt)
    }
}
