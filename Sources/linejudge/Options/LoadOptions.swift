import ArgumentParser
import Load
import Report

/// What a load consists of.
struct LoadShapeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Simulated operators (100).", valueName: "count"))
    var operators: Int?

    @Option(help: ArgumentHelp("Operators in a room (10).", valueName: "count"))
    var roomSize: Int?

    @Option(
        help: ArgumentHelp(
            """
            open: texts come when they come, however long the server takes. closed: each operator \
            waits until its text has arrived.
            """, valueName: "model"))
    var model: ModelArgument?

    @Option(
        help: ArgumentHelp(
            "Of the open model: texts and probes a second, of all operators together (100/s).",
            valueName: "rate"), transform: LoadRateArgument.init)
    var rate: LoadRateArgument?

    @Option(
        help: ArgumentHelp(
            "Of the open model: constant (the default), or poisson: as independent people would.",
            valueName: "pace"))
    var pace: PaceArgument?

    @Option(
        help: ArgumentHelp(
            "Of the closed model: how long each thinks: 1s, 1s..3s, or ~1s by chance.",
            valueName: "time"), transform: ThinkArgument.init)
    var think: ThinkArgument?

    @Option(
        help: ArgumentHelp(
            """
            What operators do, with weights: say (to the room), relay (to one other), probe. \
            Not say and relay together. By default what the dialect can, in this order.
            """, valueName: "action=weight,…"), transform: MixArgument.init)
    var mix: MixArgument?

    @Option(
        help: ArgumentHelp(
            """
            Operators of this kind, so many in proportion: talker, listener, slow-reader, \
            slow-writer, silent, mute, half-closed, reconnecting, or a scenario's file. Repeatable.
            """, valueName: "kind=weight"), transform: KindArgument.init)
    var kind: [KindArgument] = []

    @Option(
        help: ArgumentHelp(
            "Play this scenario (.chat) again and again, as a kind of its own. Repeatable.",
            valueName: "file"))
    var scenario: [String] = []

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "A value for a variable of scenarios or of the dialect's behaviours. Repeatable.",
            valueName: "name=value")
    )
    var variables: [String] = []

    @Option(help: ArgumentHelp("Bytes of each generated text (64).", valueName: "count"))
    var textBytes: Int?

    @Option(
        help: ArgumentHelp(
            """
            TextStyle for the highest rate at which this holds, such as 'p99(relay) < 50ms'. Repeatable: \
            all must hold.
            """, valueName: "promise"), transform: ThresholdArgument.init)
    var findRate: [ThresholdArgument] = []
}

/// When a load begins and ends.
struct LoadTimeOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long is measured (10s).", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp("Over how long operators connect and log in.", valueName: "time"),
        transform: DurationArgument.init)
    var ramp: DurationArgument?

    @Option(
        help: ArgumentHelp("How long the load goes on before it is measured.", valueName: "time"),
        transform: DurationArgument.init)
    var warmup: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "How long what is under way may take to arrive in the end (5s).", valueName: "time"),
        transform: DurationArgument.init)
    var drain: DurationArgument?

    @Option(
        help: ArgumentHelp("How long an operator may take to log in (30s).", valueName: "time"),
        transform: DurationArgument.init)
    var loginTimeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Sends are gathered to multiples of this (1ms); 0: each by itself.", valueName: "time"),
        transform: DurationArgument.orNothing)
    var quantum: Int64?

    @Option(help: ArgumentHelp("Threads that generate the load (1).", valueName: "count"))
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            """
            Processes that generate the load, each with so many threads and a share of rooms and rate \
            (1). Each may have as many open files as one alone.
            """, valueName: "count"))
    var processes: Int?

    @Option(
        help: ArgumentHelp(
            """
            Which part of a load this is that several machines make: 0/3 is the first of three; auto \
            asks the engine that has started it (MPI, Slurm, Kubernetes), auto/3 where that knows no \
            number.
            """, valueName: "index/count"))
    var shard: String?

    @Option(
        help: ArgumentHelp(
            """
            When texts begin, on all machines: 2026-03-01T12:00:00Z, @1772366400, or +30s. \
            Operators connect before.
            """, valueName: "time"), transform: StartArgument.init)
    var startAt: StartArgument?

    @Option(
        help: ArgumentHelp(
            "Connect from this address of this machine. Repeatable: they take turns.",
            valueName: "address"))
    var source: [String] = []

    @Flag(help: "End connections with a reset, which leaves no port waiting.")
    var reset = false

    @Option(
        help: ArgumentHelp("Where all that is random comes from.", valueName: "number"))
    var seed: UInt64?
}

/// What is shown of a load.
struct LoadShowingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A promise to hold the load to, such as 'p99(say) < 50ms', 'lost == 0', 'rate >= 99%'. \
            Repeatable.
            """, valueName: "promise"), transform: ThresholdArgument.init)
    var threshold: [ThresholdArgument] = []

    @Option(
        help: ArgumentHelp(
            "End the load once a promise has been broken for so long (0: at once).",
            valueName: "time"), transform: DurationArgument.orNothing)
    var abortOnFail: Int64?

    @Option(
        help: ArgumentHelp(
            """
            Write a report: pretty, html, json, csv, junit, hgrm or hlog; FILE - is standard \
            output. \
            Repeatable.
            """, valueName: "format=file"), transform: ReportArgument.init)
    var report: [ReportArgument<LoadReportFormat>] = []

    @Option(
        help: ArgumentHelp(
            """
            Lines of the server that break the dialect's command table: warn (the default) tells them, \
            fail fails the load, off looks at none.
            """, valueName: "what"))
    var schema = SchemaArgument.warn

    @Option(
        help: ArgumentHelp(
            "While it runs, answer GET /metrics over HTTP at host:port, in Prometheus' text format.",
            valueName: "address"), transform: ListenArgument.init)
    var metrics: ListenArgument?

    @Flag(name: .shortAndLong, help: "Show only the summary.")
    var quiet = false

    @OptionGroup var colours: ColourOptions
}

extension LoadShapeOptions {
    func validate() throws {
        if let operators, !(1...FleetPlan.operatorsMax).contains(operators) {
            throw ValidationError("--operators takes a number from 1 to \(FleetPlan.operatorsMax)")
        }
        if let roomSize, !(1...RoomLayout.roomSizeMax).contains(roomSize) {
            throw ValidationError("--room-size takes a number from 1 to \(RoomLayout.roomSizeMax)")
        }
        if let textBytes, !(MessageText.bytesMin...MessageText.bytesMax).contains(textBytes) {
            throw ValidationError(
                "--text-bytes takes a number from \(MessageText.bytesMin) to \(MessageText.bytesMax)"
            )
        }
    }

    /// Lays what was typed over what a plan says.
    func override(_ plan: inout LoadPlan) throws {
        plan.operators = operators ?? plan.operators
        plan.roomSize = roomSize ?? plan.roomSize
        plan.isClosed = model.map { $0 == .closed } ?? plan.isClosed
        if let pace { plan.pace = pace == .poisson ? .poisson : .constant }
        plan.textBytes = textBytes ?? plan.textBytes
        if let mix {
            plan.mix = mix.mix
            plan.kinds = []
        }
        if !kind.isEmpty || !scenario.isEmpty {
            plan.kinds = kind.map(\.kind) + scenario.map { OperatorKind(scenario: $0) }
            let names = plan.kinds.map(\.name)
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw ValidationError("--kind \(twice) stands there twice")
            }
            guard plan.kinds.contains(where: { $0.doesUsual || $0.scenario != nil }) else {
                throw ValidationError("no --kind does anything; add --kind talker")
            }
        }
        let isClosed = plan.isClosed ?? false
        if isClosed, rate != nil {
            throw ValidationError("--rate is of the open model; the closed one has --think")
        }
        if !isClosed, think != nil {
            throw ValidationError("--think is of the closed model; write --model closed")
        }
        if isClosed, !findRate.isEmpty {
            throw ValidationError("--find-rate is of the open model; the closed one has no rate")
        }
        if let think {
            plan.think = think.time
            for place in plan.stages.indices { plan.stages[place].think = nil }
            for place in plan.kinds.indices { plan.kinds[place].think = nil }
        }
    }
}

extension LoadTimeOptions {
    /// Lays what was typed over what a plan says; a rate that was typed is held all the time.
    func override(_ plan: inout LoadPlan, rate: Double?) {
        plan.ramp = ramp?.nanoseconds ?? plan.ramp
        plan.warmup = warmup?.nanoseconds ?? plan.warmup
        plan.drain = drain?.nanoseconds ?? plan.drain
        plan.loginTimeout = loginTimeout?.nanoseconds ?? plan.loginTimeout
        plan.quantum = quantum ?? plan.quantum
        plan.workers = workers ?? plan.workers
        plan.processes = processes ?? plan.processes
        plan.seed = seed ?? plan.seed
        if reset { plan.resets = true }
        let isClosed = plan.isClosed ?? false
        let isOfOtherModel =
            plan.stages.contains { isClosed == !$0.rates.isEmpty }
        if plan.stages.isEmpty || isOfOtherModel {
            let duration = duration?.nanoseconds ?? plan.duration ?? Self.durationDefault
            plan.stages = [LoadPlan.Stage(duration: duration)]
            if !isClosed { plan.hold(rate: rate ?? Self.rateDefault) }
            return
        }
        if let rate { plan.hold(rate: rate) }
        if let duration { plan.scale(to: duration.nanoseconds) }
    }

    /// How long is measured if nobody says it.
    static let durationDefault: Int64 = 10_000_000_000
    /// Arrivals a second if nobody says it.
    static let rateDefault = 100.0

    func validate() throws {
        if let workers, !(1...FleetOptions.workersMax).contains(workers) {
            throw ValidationError("--workers takes a number from 1 to \(FleetOptions.workersMax)")
        }
        if let processes, !(1...ProcessFleet.processesMax).contains(processes) {
            throw ValidationError(
                "--processes takes a number from 1 to \(ProcessFleet.processesMax)")
        }
    }
}

extension LoadShowingOptions {
    func validate() throws {
        try validateStandardOutput(takes: report.count(where: \.goesToStandardOutput))
    }
}
