package import DialectModel
package import Diagnostics
import LineProtocol
package import Results
import Scenario
package import Session

/// A scenario that virtual users run repeatedly and in parallel.
package struct ScenarioScript: Sendable {
    /// Name of the plan's kind that runs the scenario.
    package var name: String
    package var path: String
    package var title: String
    /// Number of virtual users. Each uses one connection per operator of the scenario.
    package var groups: Int
    /// This scenario's share of all arrivals.
    package var share = 1.0
    /// Pause between two runs in the closed model; nil to use the load test's think time.
    package var think: ThinkTime?
    package var variables: [String: [UInt8]] = [:]
    package var secrets: Set<String> = []
    /// The environment variables that the scenario can use.
    package var environment: [String: String] = [:]
    /// The compiled scenario. Operator names can be replaced for each run.
    let program: RenamedProgram

    package init(
        name: String, _ program: Program, dialect: BoundDialect, groups: Int
    ) {
        self.name = name
        self.groups = groups
        path = program.file.source.path
        title =
            program.file.header.title?.text
            ?? String(path.split(separator: "/").last ?? Substring(path))
        self.program = RenamedProgram(program, dialect: dialect)
    }

    /// Number of connections per virtual user.
    package var groupSize: Int { program.program.operators.count }
    /// Returns the number of virtual users in a share.
    package func groups(_ share: LoadShare) -> Int {
        groups / share.count + (share.index < groups % share.count ? 1 : 0)
    }

    /// Number of connections across all virtual users.
    package var operators: Int { groups * groupSize }

    /// Returns the reason why a scenario cannot be used in a load test, with the location in the
    /// scenario; nil if it can be used.
    ///
    /// - Parameters:
    ///   - duration: Length of the load test's measurement period.
    ///   - isServerGiven: True if a server was specified, so the scenario need not start one.
    package static func obstacle(
        _ program: Program, duration: Int64, isServerGiven: Bool
    ) -> Diagnostic? {
        let file = program.file
        if let command = file.header.command, !isServerGiven {
            return Diagnostic(
                .error, "load.scenario-starts-server",
                "a load test does not start the scenario's server",
                at: DiagnosticLocation(
                    source: file.source, range: command.range, label: "this line starts the server")
            ).help("start the server yourself, and pass its address with --server")
        }
        if let step = program.startTLSStep {
            return Diagnostic(
                .error, "load.scenario-starts-tls",
                "a load test cannot start TLS on an open connection",
                at: DiagnosticLocation(
                    source: file.source, range: step, label: "this step starts TLS")
            ).help("use a server that expects TLS from the start: --server tls://HOST:PORT")
        }
        let minimum = program.minimumDuration
        guard minimum.nanoseconds > duration, let longest = minimum.longest else { return nil }
        func seconds(_ time: Int64) -> String { "\(Double(time / 1_000_000) / 1000) s" }
        return Diagnostic(
            .error, "load.scenario-too-long",
            "one run takes at least \(seconds(minimum.nanoseconds)), but the load test lasts \(seconds(duration))",
            at: DiagnosticLocation(
                source: file.source, range: longest.range,
                label: "\(seconds(longest.nanoseconds)) of it is spent here")
        ).help("make the load test longer (--for) or the wait shorter")
    }
}

/// Results of a scenario's runs.
package struct ScenarioTally: Sendable, Codable {

    package var started: UInt64 = 0
    package var passed: UInt64 = 0
    package var failed: UInt64 = 0
    /// Number of runs that failed for reasons unrelated to the server's behaviour, such as a
    /// refused connection.
    package var undecided: UInt64 = 0
    /// Number of runs still in progress when the load test ended.
    package var unfinished: UInt64 = 0
    /// Number of runs that started late because all virtual users were busy.
    package var waited: UInt64 = 0
    package var steps: [StepLocation: StepTimes] = [:]
    /// Number of failed runs, by the line number of the failing step.
    package var failures: [Int: UInt64] = [:]
    /// The first few reasons for inconclusive runs.
    package var reasons: [String] = []

    /// Latencies of a single expectation.
    package struct StepTimes: Sendable, Codable {
        package var response = LatencyHistogram()
        package var service = LatencyHistogram()
    }

    /// Durations of successful runs, measured from their due time (`response`) and from their start
    /// (`service`).
    package var response = LatencyHistogram()
    package var service = LatencyHistogram()

    package init() {}

    /// Adds another worker's results.
    package mutating func merge(_ other: ScenarioTally) {
        started += other.started
        passed += other.passed
        failed += other.failed
        undecided += other.undecided
        unfinished += other.unfinished
        waited += other.waited
        failures.merge(other.failures) { $0 + $1 }
        response.merge(other.response)
        service.merge(other.service)
        for (location, times) in other.steps {
            if steps[location] == nil, steps.count >= LoadResults.stepsMax { continue }
            steps[location, default: StepTimes()].response.merge(times.response)
            steps[location, default: StepTimes()].service.merge(times.service)
        }
        reasons += other.reasons.prefix(max(0, LoadResults.evidenceMax - reasons.count))
    }
}
