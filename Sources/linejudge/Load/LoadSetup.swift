import DialectModel
import ArgumentParser
import Diagnostics
import DialectFiles
import Foundation
import Glibc
import LineProtocol
import Load
import Results
import Runner
import Transport

/// Settings of a load, from the options and the plan.
struct LoadSetup {
    let dialect: Dialect
    /// Name or file of the dialect, as given.
    let dialectName: String
    /// Name of the plan.
    let name: String?
    var plan: FleetPlan
    var options: FleetOptions
    let thresholds: [Threshold]
    /// nil for the built-in server.
    let endpoint: Endpoint?
    let processes: Int
    /// Text of the plan file.
    let planText: String?
    /// Constant rate that replaces the given one.
    var heldRate: Double?
    /// nil for the whole load.
    var shard: Shard?
    /// Start time in nanoseconds since 1970, if given.
    var startsAt: Int64?

    /// Nanoseconds for which a threshold may be violated before the load ends; nil for no limit.
    let abortGrace: Int64?
    /// TLS, if used.
    let security: (any ConnectionSecurity)?

    /// - Parameter job: decisions of the main process, in a worker process.
    init(_ command: LoadCommand, _ job: WorkerJob? = nil) throws {
        let (asked, planText) = try Self.asked(command, job)
        self.planText = planText
        let endpoint = try Self.endpoint(job?.server ?? command.target.server ?? asked.target)
        let word =
            job?.dialect ?? command.target.dialect ?? asked.dialect
            ?? (endpoint?.dialect == nil ? LoadScenarios.dialectName(asked) : nil)
        let name = word ?? endpoint?.dialect ?? BuiltInServer.dialectDefault
        if word == nil, let endpoint, endpoint.dialect == nil {
            throw CommandFailure(
                .usage, .badOption, "missing dialect of \(endpoint.location)",
                help: "give --dialect irc, or --server irc://\(endpoint.location)")
        }
        let file = try DialectFile.asked(for: name)
        dialect = file.dialect
        dialectName = name
        let complete = endpoint?.withDefaultPort(dialect.port)
        try complete?.checkPort(of: name)
        self.endpoint = complete
        self.name = asked.name
        abortGrace = command.thresholds.abortOnFail ?? asked.abortGrace
        security = try CommandFailure.usage { () throws(Diagnosed) in
            try command.target.trust.security(for: complete)
        }
        let duration = asked.duration ?? LoadScheduleOptions.durationDefault
        let variables = try Self.variables(command)
        let scenarios = try LoadScenarios(
            asked, command, file, named: name, operators: asked.operators ?? Self.operatorsDefault,
            duration: duration + (asked.warmup ?? 0), isServerGiven: endpoint != nil,
            variables: variables)
        let operatorScript = try Self.operatorScript(
            file, asked, isNeeded: scenarios.operatorsLeft > 0, variables)
        plan = try Self.plan(operatorScript, asked, scenarios)
        options = try Self.options(asked, operatorScript, sources: command.generator.source)
        let given = command.thresholds.findRate + command.thresholds.threshold
        let violations = command.display.schema == .fail ? [try Threshold("schema == 0")] : []
        thresholds = Self.unique(asked.thresholds + given.map(\.threshold) + violations)
        plan.looksAtSchema = command.display.schema != .off
        processes = job == nil ? asked.processes ?? 1 : 1
        if let job {
            take(job)
        } else {
            try takeShard(command, seed: asked.seed)
            try takeStart(command)
        }
        try checkRooms()
        try raiseDescriptors()
    }

    /// Applies the decisions of the main process.
    private mutating func take(_ job: WorkerJob) {
        plan.seed = job.seed
        plan.run = job.run
        if let rate = job.rate, case .open(_, let pace) = plan.model {
            plan.model = .open([RateStage(duration: job.duration, rate: rate)], pace)
        }
        options.duration = job.duration
        options.share = job.share
        options.connectAt = job.connectAt
        options.release = .byOthers
    }

    private static func unique(_ thresholds: [Threshold]) -> [Threshold] {
        thresholds.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The plan with the options applied, and its text.
    private static func asked(
        _ command: LoadCommand, _ job: WorkerJob?
    ) throws -> (LoadPlan, text: String?) {
        var plan = LoadPlan()
        var text: String?
        if let path = command.plan, path.hasSuffix(ScenarioFinder.ending) {
            plan.kinds = [OperatorKind(scenario: path)]
        } else if let path = command.plan {
            let source =
                try job?.plan.map { SourceText(path: path, text: $0) }
                ?? TextFiles.read(path, bytesMax: planBytesMax)
            text = String(decoding: source.bytes, as: UTF8.self)
            do {
                plan = try PlanReader.plan(source) { name in
                    let folder = URL(filePath: path).deletingLastPathComponent().relativePath
                    let file = name.hasPrefix("/") || path == "-" ? name : folder + "/" + name
                    guard let data = FileManager.default.contents(atPath: file) else {
                        return .failure(.init("no such file"))
                    }
                    return data.count > PlanReader.curveBytesMax
                        ? .failure(.init("it is too large")) : .success(Array(data))
                }
            } catch {
                throw CommandFailure(.unparsable, error)
            }
            LoadScenarios.resolve(&plan, from: path)
        }
        do {
            try command.workload.override(
                &plan, findsRate: !command.thresholds.findRate.isEmpty)
        } catch let error as ValidationError {
            throw CommandFailure(.usage, .badOption, error.message)
        }
        command.generator.override(&plan)
        command.time.override(&plan, rate: command.workload.rate?.perSecond)
        return (plan, text)
    }

    /// Maximum size of a plan.
    private static let planBytesMax = 512 << 10

    private static func endpoint(_ text: String?) throws(CommandFailure) -> Endpoint? {
        guard let text else { return nil }
        return try CommandFailure.usage { () throws(Diagnosed) in try Endpoint(parsing: text) }
    }

    /// Values of variables from the command line and the environment.
    private static func variables(_ command: LoadCommand) throws(CommandFailure) -> RunVariables {
        try CommandFailure.usage { () throws(Diagnosed) in
            try RunVariables(
                environment: Environment.ofProcess, options: command.workload.variables)
        }
    }

    private static func operatorScript(
        _ file: DialectFile, _ asked: LoadPlan, isNeeded: Bool, _ variables: RunVariables
    ) throws(CommandFailure) -> OperatorScript {
        do {
            guard isNeeded else {
                return try OperatorScript(bare: BoundDialect.of(file))
            }
            return try OperatorScript(
                BoundDialect.of(file), textBytes: asked.textBytes ?? textBytesDefault,
                variables: variables.values)
        } catch let error as Diagnosed {
            throw CommandFailure(.usage, error)
        } catch let error as OperatorScriptError {
            throw Self.failure(error)
        } catch {
            throw CommandFailure(.software, .internalError, "\(error)")
        }
    }

    private static func failure(_ error: OperatorScriptError) -> CommandFailure {
        CommandFailure(
            .usage, DiagnosticCode(stringLiteral: error.code.word), error.message,
            help: error.help)
    }

    private static func plan(
        _ operatorScript: OperatorScript, _ asked: LoadPlan, _ scenarios: LoadScenarios
    ) throws(CommandFailure) -> FleetPlan {
        let operators = scenarios.operatorsLeft
        let mix = operators > 0 ? try mix(operatorScript, asked) : ActionMix([])
        for (action, _) in mix.weights where !operatorScript.actions.contains(action) {
            if let error = operatorScript.unsuitable[action] { throw failure(error) }
            let able = operatorScript.actions.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .usage, .badOption,
                "the dialect \(operatorScript.dialectName) has no behaviours for \(action.name)",
                help: able.isEmpty ? nil : "supported actions: \(able)")
        }
        // Without rooms, every operator receives every message.
        let isHeardByAll = !operatorScript.hasRooms && mix.weights.contains { $0.action == .say }
        let size = isHeardByAll ? operators : asked.roomSize ?? roomSizeDefault
        if size > RoomLayout.roomSizeMax {
            throw CommandFailure(
                .usage, .badOption,
                "\(operatorScript.dialectName) has no rooms, so every operator receives every message; the maximum is "
                    + "\(RoomLayout.roomSizeMax) operators")
        }
        var plan = FleetPlan(
            operatorScript: operatorScript, model: model(asked), mix: mix,
            layout: RoomLayout(operators: operators, size: size),
            seed: asked.seed ?? UInt64.random(in: 1...999_999), run: newRun(),
            quantum: asked.quantum ?? 1_000_000,
            setupTimeout: asked.loginTimeout ?? 30_000_000_000)
        plan.scripts = scenarios.scripts
        plan.poolShare = scenarios.poolShare
        plan.kinds = asked.kinds.filter { $0.scenario == nil }.map { kind in
            var kind = kind
            if kind.doesUsual { kind.mix = mix }
            return kind
        }
        plan.thinks = thinks(asked)
        return plan
    }

    private static let operatorsDefault = 100
    private static let roomSizeDefault = 10
    private static let textBytesDefault = 64
    private static let thinkDefault = ThinkTime.constant(1_000_000_000)

    /// A random number that distinguishes the messages of this load from those of others.
    static func newRun() -> UInt32 { UInt32.random(in: 1...1_048_575) }

    private static func model(_ asked: LoadPlan) -> LoadModel {
        if asked.isClosed == true { return .closed(asked.think ?? thinkDefault) }
        return .open(asked.stages.flatMap(\.rates), asked.pace ?? .constant)
    }

    /// Think times of stages, each with the end of its stage.
    private static func thinks(_ asked: LoadPlan) -> [(end: Int64, think: ThinkTime)] {
        guard asked.stages.contains(where: { $0.think != nil }) else { return [] }
        var end: Int64 = 0
        return asked.stages.map { stage in
            end += stage.duration
            return (end, stage.think ?? asked.think ?? thinkDefault)
        }
    }

    private static func mix(
        _ operatorScript: OperatorScript, _ asked: LoadPlan
    ) throws(CommandFailure) -> ActionMix {
        let kinds = asked.kinds.filter { $0.scenario == nil }
        if !kinds.isEmpty, !kinds.contains(where: \.doesUsual) {
            return ActionMix(kinds.flatMap { $0.mix?.weights ?? [] })
        }
        if let mix = asked.mix { return mix }
        guard
            let first = [LoadAction.say, .relay, .probe].first(where: {
                operatorScript.actions.contains($0)
            })
        else {
            if let error = operatorScript.unsuitable.values.first { throw failure(error) }
            throw CommandFailure(
                .usage, .badOption,
                "the dialect \(operatorScript.dialectName) has no behaviours for a load",
                help: "it needs say and heard, relay and arrival, or probe")
        }
        return ActionMix([(first, 1)])
    }

    private static func options(
        _ asked: LoadPlan, _ operatorScript: OperatorScript, sources: [String]
    ) throws(CommandFailure) -> FleetOptions {
        var options = FleetOptions(duration: asked.duration ?? LoadScheduleOptions.durationDefault)
        options.workers = operatorScript.hasRooms ? asked.workers ?? 1 : 1
        options.ramp = asked.ramp ?? 0
        options.warmup = asked.warmup ?? 0
        options.drain = asked.drain ?? 5_000_000_000
        options.resetsOnClose = asked.resets ?? false
        for source in sources {
            do {
                options.sources.append(try SocketAddress(source: source))
            } catch {
                throw CommandFailure(
                    .usage, .badOption,
                    "--source \(escapedForDisplay(source)) is not an address of this machine")
            }
        }
        return options
    }
}
