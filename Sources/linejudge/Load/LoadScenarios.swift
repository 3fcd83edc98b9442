import DialectModel
import Diagnostics
import DialectFiles
import Foundation
import Load
import Results
import Runner
import Scenario
import Session
import Transport

/// The scenarios of a load: read, checked for whether they can be played again and again side by side, and given
/// their parts of the operators and arrivals.
struct LoadScenarios {
    /// How many operators are left for the kinds that play none.
    private(set) var operatorsLeft: Int
    private(set) var scripts: [ScenarioScript] = []
    /// Of all arrivals, the part that is not the scenarios'.
    private(set) var coreShare = 1.0

    /// The dialect that the first of the scenarios names; nil if none does.
    static func dialectName(_ asked: LoadPlan) -> String? {
        for kind in asked.kinds {
            guard let path = kind.scenario else { continue }
            let loaded = ScenarioLoader(dialectDefault: BuiltInServer.dialectDefault)
                .load(FoundScenario(path: path))
            if let named = loaded.file?.header.dialect?.text { return named }
        }
        return nil
    }

    init(
        _ asked: LoadPlan, _ command: LoadCommand, _ dialect: DialectFile, named name: String,
        operators: Int, duration: Int64, isServerGiven: Bool, variables: RunVariables
    ) throws {
        operatorsLeft = operators
        let executors = asked.kinds.filter { $0.scenario != nil }
        guard !executors.isEmpty else { return }
        let loader = ScenarioLoader(
            dialectOverride: name, variables: Set(variables.values.keys))
        let weights = asked.kinds.reduce(0) { $0 + $1.weight }
        let isAlone = executors.count == asked.kinds.count
        for (place, kind) in executors.enumerated() {
            let program = try Self.program(kind.scenario ?? "", loader)
            let obstacle = ScenarioScript.obstacle(
                program, duration: duration, isServerGiven: isServerGiven)
            if let obstacle { throw CommandFailure(.usage, Diagnosed([obstacle])) }
            let isLast = isAlone && place == executors.count - 1
            let share = isLast ? operatorsLeft : operators * kind.weight / max(weights, 1)
            var script = ScenarioScript(
                name: kind.name, program, dialect: BoundDialect.of(dialect),
                groups: max(1, share / max(program.operators.count, 1)))
            guard script.operators <= operatorsLeft else {
                throw CommandFailure(
                    .usage, "load.too-few-operators",
                    "\(kind.scenario ?? "") takes \(script.groupSize) operators, and there are "
                        + "\(operatorsLeft) for it",
                    help: "raise --operators")
            }
            script.think = kind.think
            script.variables = variables.values
            script.secrets = variables.secrets
            operatorsLeft -= script.operators
            scripts.append(script)
        }
        if isAlone { operatorsLeft = 0 }
        divideArrivals(asked)
    }

    /// Whoever does something gets as many arrivals as any other: an operator that talks, a group that plays.
    private mutating func divideArrivals(_ asked: LoadPlan) {
        let others = asked.kinds.filter { $0.scenario == nil }
        let weights = others.reduce(0) { $0 + $1.weight }
        let acting = others.filter { $0.mix != nil || $0.doesUsual }.reduce(0) { $0 + $1.weight }
        let talkers = weights > 0 ? Double(operatorsLeft * acting) / Double(weights) : 0
        let all = talkers + scripts.reduce(0.0) { $0 + Double($1.groups) }
        guard all > 0 else { return }
        coreShare = talkers / all
        for place in scripts.indices { scripts[place].share = Double(scripts[place].groups) / all }
    }

    private static func program(_ path: String, _ loader: ScenarioLoader) throws -> Program {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                .noInput, .badOption, "there is no scenario `\(escapedForDisplay(path))`")
        }
        let loaded = loader.load(FoundScenario(path: path))
        guard let program = loaded.program else {
            throw CommandFailure(
                .unparsable, Diagnosed(loaded.diagnostics.filter { $0.severity == .error }))
        }
        return program
    }

    /// The path without going down and up again: `a/../b` is `b`.
    private static func collapsed(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            if part == "..", let last = parts.last, last != "..", !last.isEmpty {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    /// The paths of a plan's scenarios count from where the plan is.
    static func resolve(_ plan: inout LoadPlan, from path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().relativePath
        for place in plan.kinds.indices {
            guard let scenario = plan.kinds[place].scenario, !scenario.hasPrefix("/"), path != "-",
                folder != "."
            else { continue }
            plan.kinds[place].scenario = collapsed(folder + "/" + scenario)
        }
    }
}

extension OperatorKind {
    /// A kind that plays a scenario, named for its file.
    init(scenario path: String, weight: Int = 1) {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(".chat") ? String(file.dropLast(5)) : file
        self.init(name: name, weight: weight, mix: nil)
        scenario = path
    }
}

extension LoadSetup {
    /// The same load, with what scenarios can ask of their server.
    func knowing(_ endpoint: Endpoint) -> LoadSetup {
        var setup = self
        for place in setup.plan.scripts.indices {
            setup.plan.scripts[place].variables["server.host"] = Array(
                (endpoint.host ?? "localhost").utf8)
            setup.plan.scripts[place].variables["server.port"] = Array(
                String(endpoint.port ?? 0).utf8)
        }
        return setup
    }
}
