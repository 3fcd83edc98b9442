import Console
import Diagnostics
import DialectFiles
import DialectModel
import FoundationEssentials
package import LineProtocol
package import Results
package import Runner
package import Transport
import TransportTLS

/// Checked settings of a load test, from the command line and the plan.
package struct LoadSetup: Sendable {
    package let dialect: Dialect
    /// Dialect name or file, as given.
    package let dialectName: String
    /// Name of the plan; nil if it has none.
    package let name: String?
    package var plan: FleetPlan
    package var options: FleetOptions
    package let thresholds: [Threshold]
    /// Address of the server; nil for the reference server, or for a server to be started on a free
    /// port.
    package var endpoint: Endpoint?
    /// The command that starts the server; nil if there is none.
    package let command: ServerCommand?
    package let processes: Int
    /// Contents of the plan file; nil if there is none.
    package let planText: String?
    /// Constant rate that replaces the plan's rates; nil to use the plan's.
    package var heldRate: Double?
    /// This machine's shard; nil if this machine generates the whole load test.
    package var shard: Shard?
    /// Start time in nanoseconds since 1970; nil if none was given.
    package var startsAt: Int64?

    /// Processes to observe, in addition to this one.
    package var watched: [ObservedTarget]
    /// Metrics of the server to read.
    package var metricsSources: [MetricsSource]

    /// Time that a threshold may be violated before the load test is aborted, in nanoseconds; nil
    /// if violations never abort it.
    package let abortGrace: Int64?
    /// Limits that end the load test before it harms the server.
    let budgets: [LoadBudget]
    /// TLS settings; nil if TLS is not used.
    package let security: (any ConnectionSecurity)?
    let scenarios: [LoadedScenario]
    let variables: RunVariables
    /// Conditions the server meets but cannot report, for `needs fixture` lines.
    let fixtures: Set<String>
    /// Values the server reported for scenarios' `needs` lines.
    var offers: [String: [UInt8]] = [:]

    /// Checks the request and derives the settings. In a worker process, `job` contains the main
    /// process's decisions.
    package init(_ request: LoadRequest, _ job: WorkerJob? = nil) throws {
        let loadPlan = request.plan
        planText = request.planText
        watched = request.watched.map { ObservedTarget(.server, pid: $0) }
        metricsSources = request.metricsSources
        let endpoint = try Self.endpoint(job?.server ?? request.server ?? loadPlan.target)
        let word =
            job?.dialect ?? request.dialect ?? loadPlan.dialect
            ?? (endpoint?.dialect == nil ? LoadScenarios.dialectName(loadPlan) : nil)
        let name = word ?? endpoint?.dialect ?? DialectLibrary.builtInServerDialect
        if word == nil, let endpoint, endpoint.dialect == nil {
            throw CommandFailure(
                .usage, .badOption, "missing dialect for \(endpoint.location)",
                help: "pass --dialect irc or --server irc://\(endpoint.location)")
        }
        command = try Self.command(request, endpoint)
        if word == nil, endpoint == nil, command != nil {
            throw CommandFailure(
                .usage, .badOption, "missing dialect for the server started by --exec",
                help: "pass --dialect irc; `linejudge dialect list` lists the dialects")
        }
        let file = try DialectFile.requested(name)
        dialect = file.dialect
        dialectName = name
        let complete = endpoint?.withDefaultPort(dialect.port)
        try complete?.checkPort(of: name)
        self.endpoint = complete
        self.name = loadPlan.name
        abortGrace = request.abortGrace ?? loadPlan.abortGrace
        budgets = request.budgets
        security = try CommandFailure.usage { () throws(Diagnosed) in
            try request.trust.security(for: complete)
        }
        let duration = loadPlan.duration ?? LoadPlan.durationDefault
        let variables = try RunVariables(
            environment: Environment.ofProcess, given: request.variables)
        self.variables = variables
        fixtures = Set(request.fixtures)
        let scenarios = try LoadScenarios(
            loadPlan, file, named: name, operators: loadPlan.operators ?? Self.operatorsDefault,
            duration: duration + (loadPlan.warmup ?? 0),
            isServerGiven: endpoint != nil || command != nil,
            variables: variables)
        self.scenarios = scenarios.scenarios
        let operatorScript = try Self.operatorScript(
            file, loadPlan, isNeeded: scenarios.operatorsLeft > 0, variables)
        plan = try Self.plan(operatorScript, loadPlan, scenarios)
        options = try Self.options(loadPlan, operatorScript, sources: request.sources)
        let violations = request.schema == .fail ? [try Threshold("schema == 0")] : []
        thresholds = Self.unique(loadPlan.thresholds + request.thresholds + violations)
        plan.looksAtSchema = request.schema != .off
        processes = job == nil ? loadPlan.processes ?? 1 : 1
        if let job {
            take(job)
        } else {
            try takeShard(request)
            try takeStart(request)
        }
        try checkRooms()
        try checkKinds()
        try checkTextLength()
        try checkThresholds()
        try checkBudgets()
        try raiseDescriptors()
    }

    /// Applies the main process's decisions.
    private mutating func take(_ job: WorkerJob) {
        plan.seed = job.seed
        plan.run = job.run
        if let rate = job.rate, case .open(_, let pace) = plan.model {
            plan.model = .open([RateStage(duration: job.duration, rate: rate)], pace)
        }
        options.duration = job.duration
        options.share = job.share
        options.connectAt = job.connectAt
        offers = job.offers
        takeOffers()
        options.release = .byOthers
    }

    /// All processes to observe. If the generator runs in several processes, the others are
    /// children of this one.
    var observed: [ObservedTarget] {
        watched + [ObservedTarget(.generator, pid: Machine.processID)]
    }

    private static func unique(_ thresholds: [Threshold]) -> [Threshold] {
        thresholds.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func endpoint(_ text: String?) throws(CommandFailure) -> Endpoint? {
        guard let text else { return nil }
        return try CommandFailure.usage { () throws(Diagnosed) in try Endpoint(parsing: text) }
    }

    /// Returns the command that starts the server; nil if none is needed.
    private static func command(
        _ request: LoadRequest, _ endpoint: Endpoint?
    ) throws(CommandFailure) -> ServerCommand? {
        guard let text = request.command else { return nil }
        let command = ServerCommand(
            text, origin: request.commandOption, endpoint: endpoint,
            startTimeout: request.startTimeout)
        try CommandFailure.usage { () throws(Diagnosed) in try command.check() }
        return command
    }

    private static func operatorScript(
        _ file: DialectFile, _ loadPlan: LoadPlan, isNeeded: Bool, _ variables: RunVariables
    ) throws(CommandFailure) -> OperatorScript {
        do {
            guard isNeeded else {
                return try OperatorScript(bare: BoundDialect.of(file))
            }
            return try OperatorScript(
                BoundDialect.of(file), textBytes: loadPlan.textBytes ?? textBytesDefault,
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
        _ operatorScript: OperatorScript, _ loadPlan: LoadPlan, _ scenarios: LoadScenarios
    ) throws(CommandFailure) -> FleetPlan {
        let operators = scenarios.operatorsLeft
        let mix = operators > 0 ? try mix(operatorScript, loadPlan) : ActionMix([])
        for (action, _) in mix.weights where !operatorScript.actions.contains(action) {
            if let error = operatorScript.unsuitable[action] { throw failure(error) }
            let able = operatorScript.actions.map(\.name).joined(separator: ", ")
            throw CommandFailure(
                .usage, .badOption,
                "the \(operatorScript.dialectName) dialect has no behaviours for \(action.name)",
                help: able.isEmpty ? nil : "supported actions: \(able)")
        }
        // Without rooms, every operator receives every message.
        let reachesAll = !operatorScript.hasRooms && mix.weights.contains { $0.action == .say }
        let size = reachesAll ? operators : loadPlan.roomSize ?? roomSizeDefault
        if size > RoomLayout.roomSizeMax {
            throw CommandFailure(
                .usage, .badOption,
                "\(operatorScript.dialectName) has no rooms, so every operator receives every message; the maximum is "
                    + "\(RoomLayout.roomSizeMax) operators")
        }
        var plan = FleetPlan(
            operatorScript: operatorScript, model: model(loadPlan), mix: mix,
            layout: RoomLayout(operators: operators, size: size),
            seed: loadPlan.seed ?? UInt64.random(in: 1...999_999), run: newRun(),
            batchInterval: loadPlan.batchInterval ?? 1_000_000,
            setupTimeout: loadPlan.loginTimeout ?? 30_000_000_000)
        plan.scripts = scenarios.scripts
        plan.poolShare = scenarios.poolShare
        plan.kinds = loadPlan.kinds.filter { $0.scenario == nil }.map { kind in
            var kind = kind
            if kind.doesUsual { kind.mix = mix }
            return kind
        }
        plan.thinks = thinks(loadPlan)
        return plan
    }

    private static let operatorsDefault = 100
    private static let roomSizeDefault = 10
    private static let textBytesDefault = 64
    private static let thinkDefault = ThinkTime.constant(1_000_000_000)

    /// Returns a random run number, which distinguishes this load test's messages from others.
    package static func newRun() -> UInt32 { UInt32.random(in: 1...1_048_575) }

    private static func model(_ loadPlan: LoadPlan) -> LoadModel {
        if loadPlan.isClosed == true { return .closed(loadPlan.think ?? thinkDefault) }
        return .open(loadPlan.stages.flatMap(\.namedRates), loadPlan.pace ?? .constant)
    }

    /// Returns the stages' think times, each with the end of its stage; empty if no stage has its
    /// own think time.
    private static func thinks(_ loadPlan: LoadPlan) -> [(end: Int64, think: ThinkTime)] {
        guard loadPlan.stages.contains(where: { $0.think != nil }) else { return [] }
        var end: Int64 = 0
        return loadPlan.stages.map { stage in
            end += stage.duration
            return (end, stage.think ?? loadPlan.think ?? thinkDefault)
        }
    }

    private static func mix(
        _ operatorScript: OperatorScript, _ loadPlan: LoadPlan
    ) throws(CommandFailure) -> ActionMix {
        let kinds = loadPlan.kinds.filter { $0.scenario == nil }
        if !kinds.isEmpty, !kinds.contains(where: \.doesUsual) {
            return ActionMix(kinds.flatMap { $0.mix?.weights ?? [] })
        }
        if let mix = loadPlan.mix { return mix }
        guard
            let first = [LoadAction.say, .relay, .probe].first(where: {
                operatorScript.actions.contains($0)
            })
        else {
            if let error = operatorScript.unsuitable.values.first { throw failure(error) }
            throw CommandFailure(
                .usage, .badOption,
                "the \(operatorScript.dialectName) dialect has no behaviours for a load test",
                help: "it needs `say` and `heard`, `relay` and `arrival`, or `probe`")
        }
        return ActionMix([(first, 1)])
    }

    private static func options(
        _ loadPlan: LoadPlan, _ operatorScript: OperatorScript, sources: [String]
    ) throws(CommandFailure) -> FleetOptions {
        var options = FleetOptions(duration: loadPlan.duration ?? LoadPlan.durationDefault)
        options.workers = operatorScript.hasRooms ? loadPlan.workers ?? 1 : 1
        options.ramp = loadPlan.ramp ?? 0
        options.warmup = loadPlan.warmup ?? 0
        options.drain = loadPlan.drain ?? 5_000_000_000
        options.resetsOnClose = loadPlan.resets ?? false
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
