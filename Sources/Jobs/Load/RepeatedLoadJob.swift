package import Console
import Diagnostics
package import Load
package import Report
package import Results
import Runner
import Transport

/// A job that repeats a load test, against one server or against two servers in turn.
package struct RepeatedLoadJob: Sendable {
    /// A server to test.
    package struct Side: Sendable {
        /// Display name: the server's address, or the command that starts it.
        package var name: String
        package var setup: LoadSetup

        package init(_ name: String, _ setup: LoadSetup) {
            self.name = name
            self.setup = setup
        }
    }

    private let sides: [Side]
    private let repeats: Int
    private let output: JobOutput<RepeatedLoadReportFormat>
    private let display: LoadDisplay
    private let interruptions: Interruptions

    /// - Parameters:
    ///   - sides: One or two servers.
    ///   - repeats: Number of load tests of each server.
    package init(
        _ sides: [Side], repeats: Int, _ output: JobOutput<RepeatedLoadReportFormat>,
        _ display: LoadDisplay, until interruptions: Interruptions
    ) {
        self.sides = sides
        self.repeats = repeats
        self.output = output
        self.display = display
        self.interruptions = interruptions
    }

    /// Runs the load tests and returns the exit code.
    package func run() async throws -> ExitCode {
        try output.reports.prepare()
        showHeading()
        for (index, side) in sides.enumerated() {
            try await requireServer(of: side, isNext: index == 0)
        }
        var loads = RepeatedLoad(
            toolVersion: toolVersion, sides: sides.map { RepeatedLoad.Side(name: $0.name) })
        let text = RepeatedLoadText(style: output.style)
        let order = RepeatedLoad.order(repeats: repeats, servers: sides.count)
        var signal: Int32?
        for (index, side) in order.enumerated() where signal == nil {
            let pair = index / max(sides.count, 1)
            let measured = try await measure(sides[side], pair: pair)
            signal = measured.signal
            if signal != nil {
                loads.interruption = measured.results.interruption
                break
            }
            loads.sides[side].loads.append(measured.results)
            if !output.isQuiet {
                output.people.write(
                    text.line(
                        measured.results, letter: sides.count > 1 ? Self.letters[side] : "",
                        number: index + 1, of: order.count))
            }
        }
        loads.keepPairs()
        output.people.write(try text.text(loads))
        try output.finish(loads)
        if let signal { return signal.ending }
        return try ending(loads)
    }

    private static let letters = ["A", "B"]

    private func ending(_ loads: RepeatedLoad) throws -> ExitCode {
        let code = loads.exitCode
        guard code == .ok || code == .inconclusive, let comparison = try loads.comparison() else {
            return code
        }
        switch comparison.verdict {
        case .failed: return .failed
        case .inconclusive: return .inconclusive
        default: return code
        }
    }

    private func showHeading() {
        guard !output.isQuiet, let first = sides.first else { return }
        let summary = LoadSummary(style: output.style)
        var description = first.setup.description
        description.server = first.name
        output.people.write(summary.heading(description))
        let count = repeats * sides.count
        if sides.count > 1 {
            output.people.write(
                "\(count) load tests of A (this server) and B "
                    + "(\(escapedForDisplay(sides[1].name))), in the order A B B A …\n")
        } else {
            output.people.write("\(count) load tests, one after another\n")
        }
    }

    /// Throws an error if a server cannot be reached or started, so that no load test is wasted if it
    /// is the second one. The first one is started right afterwards, by its first load test.
    private func requireServer(of side: Side, isNext: Bool) async throws {
        let server = JobServer(
            side.setup.command, at: side.setup.endpoint, speaking: side.setup.dialect)
        guard case .running(let endpoint) = server else {
            if !isNext { try await server.use { _, _ in } }
            return
        }
        let wait = ServerWait(
            limit: display.wait, interruptions: interruptions, security: side.setup.security)
        if let signal = try await wait.require(endpoint, "load.unreachable") {
            throw CommandFailure(signal.ending)
        }
    }

    /// Runs one load test. A server that has to be started is started for this load test only, so
    /// that the variation between starts is measured as well.
    private func measure(_ side: Side, pair: Int) async throws -> MeasuredLoad {
        let setup = side.setup
        let server = JobServer(setup.command, at: setup.endpoint, speaking: setup.dialect)
        return try await server.use { endpoint, started in
            var own = setup.repeated(pair)
            if let started {
                own.endpoint = endpoint
                own.watched.append(ObservedTarget(.server, pid: started.processID))
            }
            let measurement = LoadMeasurement(
                try await own.checkingNeeds(at: endpoint), status: LoadStatus(),
                until: interruptions, workerArguments: [LoadJob.workerCommand]
            ) { setup, monitor in await showProgress(setup, monitor) }
            var measured = try await measurement.run(against: endpoint)
            measured.results.server = side.name
            return measured
        }
    }

    private func showProgress(_ setup: LoadSetup, _ monitor: LoadMonitor) async {
        guard !output.isQuiet else { return }
        await LoadProgressView(output.people, output.style, output.log).follow(setup, monitor)
    }
}
