package import DialectModel
package import Diagnostics
import LineProtocol
package import Results
import Scenario
package import Session

/// A scenario that is played again and again by groups of operators side by side.
package struct ScenarioScript: Sendable {
    /// The kind in the plan.
    package var name: String
    /// The scenario's file.
    package var path: String
    package var title: String
    /// How many groups play it: each takes as many connections as the scenario has operators.
    package var groups: Int
    /// Of all arrivals, the part that is this scenario's.
    package var share = 1.0
    /// Of the closed model, how long a group thinks between two plays, if not as the others.
    package var think: ThinkTime?
    /// Values for its variables, and which of them must not be shown.
    package var variables: [String: [UInt8]] = [:]
    package var secrets: Set<String> = []
    /// Whether names are kept apart.
    let program: RenamedProgram

    /// A script of a program.
    package init(
        name: String, _ program: Program, dialect: BoundDialect, groups: Int
    ) {
        self.name = name
        self.groups = groups
        path = program.file.source.path
        title =
            program.file.header.title?.text
            ?? String(path.split(separator: "/").last ?? Substring(path))
        let names = ScenarioNames(program.file, dialect)
        self.program = RenamedProgram(program, names.aliases, numbersIn: names.numberPlaces)
    }

    /// How many connections a group has.
    package var groupSize: Int { program.program.operators.count }
    /// How many of the groups are of a share.
    package func groups(_ share: LoadShare) -> Int {
        groups / share.count + (share.index < groups % share.count ? 1 : 0)
    }

    /// How many connections all groups have.
    package var operators: Int { groups * groupSize }

    /// What keeps a scenario from being played as a load, with its place; nil if nothing does.
    ///
    /// - Parameters:
    ///   - duration: how long the load is measured.
    ///   - isServerGiven: whether there is a server that the scenario need not start.
    package static func obstacle(
        _ program: Program, duration: Int64, isServerGiven: Bool
    ) -> Diagnostic? {
        let file = program.file
        if let command = file.header.command, !isServerGiven {
            return Diagnostic(
                .error, "load.scenario-starts-server",
                "a load does not start the server that the scenario names",
                at: DiagnosticLocation(
                    source: file.source, range: command.range, label: "this would start it")
            ).help("start it, and name it with --server")
        }
        let least = program.leastDuration
        guard least.nanoseconds > duration, let longest = least.longest else { return nil }
        func seconds(_ time: Int64) -> String { "\(Double(time / 1_000_000) / 1000) s" }
        return Diagnostic(
            .error, "load.scenario-too-long",
            "one play takes at least \(seconds(least.nanoseconds)), and the load \(seconds(duration))",
            at: DiagnosticLocation(
                source: file.source, range: longest.range,
                label: "\(seconds(longest.nanoseconds)) of it are spent here")
        ).help("make the load longer (--for), or the wait shorter")
    }
}

/// What became of the plays of a scenario.
package struct ScenarioTally: Sendable, Codable {

    package var started: UInt64 = 0
    package var passed: UInt64 = 0
    package var failed: UInt64 = 0
    /// No connection, or something else that says nothing of the server.
    package var undecided: UInt64 = 0
    /// Still under way when the load was over.
    package var unfinished: UInt64 = 0
    /// Plays that began late because all groups were busy.
    package var waited: UInt64 = 0
    package var steps: [StepLocation: StepTimes] = [:]
    /// Plays by what they failed for: the line of the scenario.
    package var failures: [Int: UInt64] = [:]
    /// Why plays could not be decided: the first few reasons.
    package var reasons: [String] = []

    /// The times of one expectation.
    package struct StepTimes: Sendable, Codable {
        package var response = LatencyHistogram()
        package var service = LatencyHistogram()
    }

    /// From when a play was due, and from when it began, until it was over; of those that passed.
    package var response = LatencyHistogram()
    package var service = LatencyHistogram()

    package init() {}

    /// Adds those of another worker.
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
        for (place, times) in other.steps {
            if steps[place] == nil, steps.count >= LoadResults.stepsMax { continue }
            steps[place, default: StepTimes()].response.merge(times.response)
            steps[place, default: StepTimes()].service.merge(times.service)
        }
        reasons += other.reasons.prefix(max(0, LoadResults.evidenceMax - reasons.count))
    }
}
