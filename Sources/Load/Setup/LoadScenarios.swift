import Console
import Diagnostics
import DialectFiles
import DialectModel
import FoundationEssentials
import Results
import Runner
import Scenario
import Session
import Transport

/// A load test's scenarios, with their shares of the operators and arrivals.
struct LoadScenarios {
    /// Number of operators left for kinds without a scenario.
    private(set) var operatorsLeft: Int
    private(set) var scripts: [ScenarioScript] = []
    /// The loaded scenarios that `scripts` were compiled from.
    private(set) var scenarios: [LoadedScenario] = []
    /// Share of the arrivals left for kinds without a scenario.
    private(set) var poolShare = 1.0

    /// Returns the first dialect specified by a scenario; nil if there is none.
    static func dialectName(_ loadPlan: LoadPlan) -> String? {
        for kind in loadPlan.kinds {
            guard let path = kind.scenario else { continue }
            let loaded = ScenarioLoader(dialectDefault: DialectLibrary.builtInServerDialect)
                .load(FoundScenario(path: path))
            if let named = loaded.file?.header.dialect?.text {
                return fileName(of: named, beside: path) ?? named
            }
        }
        return nil
    }

    /// Returns the path of a dialect file next to a scenario, as `run` finds it; nil if there is
    /// none.
    private static func fileName(of dialect: String, beside scenario: String) -> String? {
        let parts = dialect.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].hasSuffix(".yaml") ? String(parts[0]) : parts[0] + ".yaml"
        guard !name.hasPrefix("/"), let slash = scenario.lastIndex(of: "/") else { return nil }
        let path = scenario[...slash] + name
        guard FileManager.default.fileExists(atPath: String(path)) else { return nil }
        return parts.count > 1 ? "\(path)+\(parts[1])" : String(path)
    }

    init(
        _ loadPlan: LoadPlan, _ dialect: DialectFile, named name: String,
        operators: Int, duration: Int64, isServerGiven: Bool, variables: RunVariables
    ) throws {
        operatorsLeft = operators
        let executors = loadPlan.kinds.filter { $0.scenario != nil }
        guard !executors.isEmpty else { return }
        let loader = ScenarioLoader(
            dialectOverride: name, variables: Set(variables.values.keys))
        let weights = loadPlan.kinds.reduce(0) { $0 + $1.weight }
        let isAlone = executors.count == loadPlan.kinds.count
        for (index, kind) in executors.enumerated() {
            let (scenario, program) = try Self.load(kind.scenario ?? "", loader)
            let obstacle = ScenarioScript.obstacle(
                program, duration: duration, isServerGiven: isServerGiven)
            if let obstacle { throw CommandFailure(.usage, Diagnosed([obstacle])) }
            let isLast = isAlone && index == executors.count - 1
            let share = isLast ? operatorsLeft : operators * kind.weight / max(weights, 1)
            var script = ScenarioScript(
                name: kind.name, program, dialect: BoundDialect.of(dialect),
                groups: max(1, share / max(program.operators.count, 1)))
            guard script.operators <= operatorsLeft else {
                throw CommandFailure(
                    .usage, "load.too-few-operators",
                    "\(kind.scenario ?? "") needs \(counted(script.groupSize, "operator")), "
                        + "but --operators leaves it only \(operatorsLeft)",
                    help: "raise --operators")
            }
            script.think = kind.think
            script.variables = variables.values
            script.secrets = variables.secrets
            script.environment = Environment.ofProcess
            Redaction.hide(program.secrets.values(variables.values, script.environment))
            operatorsLeft -= script.operators
            scripts.append(script)
            scenarios.append(scenario)
        }
        if isAlone { operatorsLeft = 0 }
        divideArrivals(loadPlan)
    }

    /// Divides the arrivals evenly among active operators and the scenarios' virtual users.
    private mutating func divideArrivals(_ loadPlan: LoadPlan) {
        let others = loadPlan.kinds.filter { $0.scenario == nil }
        let weights = others.reduce(0) { $0 + $1.weight }
        let acting = others.filter { $0.mix != nil || $0.doesUsual }.reduce(0) { $0 + $1.weight }
        let talkers = weights > 0 ? Double(operatorsLeft * acting) / Double(weights) : 0
        let all = talkers + scripts.reduce(0.0) { $0 + Double($1.groups) }
        guard all > 0 else { return }
        poolShare = talkers / all
        for index in scripts.indices { scripts[index].share = Double(scripts[index].groups) / all }
    }

    private static func load(
        _ path: String, _ loader: ScenarioLoader
    ) throws -> (LoadedScenario, Program) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                .noInput, .badOption, "no such scenario: `\(escapedForDisplay(path))`")
        }
        let loaded = loader.load(FoundScenario(path: path))
        guard let program = loaded.program else {
            throw CommandFailure(
                .unparsable, Diagnosed(loaded.diagnostics.filter { $0.severity == .error }))
        }
        if let file = loaded.file, let data = file.header.data {
            throw CommandFailure(
                .usage,
                Diagnosed(
                    Diagnostic(
                        .error, "load.data",
                        "a load test cannot run a scenario with data rows: its virtual users run "
                            + "in parallel and would use the same rows at the same time",
                        at: DiagnosticLocation(source: file.source, range: data.range)
                    ).help("use `run`, or remove the `data` line and set its variables with --var"))
            )
        }
        return (loaded, program)
    }

    /// Returns a path without `.` and `..`, so that `a/../b` becomes `b`.
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

    /// Resolves a plan's scenario paths relative to the plan file.
    static func resolve(_ plan: inout LoadPlan, from path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().relativePath
        for index in plan.kinds.indices {
            guard let scenario = plan.kinds[index].scenario, !scenario.hasPrefix("/"), path != "-",
                folder != "."
            else { continue }
            plan.kinds[index].scenario = collapsed(folder + "/" + scenario)
        }
    }
}

extension OperatorKind {
    /// Creates a kind that runs a scenario repeatedly, named after the scenario's file.
    package init(scenario path: String, weight: Int = 1) {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(".chat") ? String(file.dropLast(5)) : file
        self.init(name: name, weight: weight, mix: nil)
        scenario = path
    }
}

extension LoadSetup {
    /// Returns the same load test with the server's host and port as scenario variables.
    func knowing(_ endpoint: Endpoint) -> LoadSetup {
        var setup = self
        for index in setup.plan.scripts.indices {
            setup.plan.scripts[index].variables["server.host"] = Array(
                (endpoint.host ?? "localhost").utf8)
            setup.plan.scripts[index].variables["server.port"] = Array(
                String(endpoint.port ?? 0).utf8)
        }
        return setup
    }
}
