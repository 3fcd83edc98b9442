import ArgumentParser
import Console
import Load
import Results
import Report
import Runner

/// Options for the server to load-test.
struct LoadTargetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Dialect that the server speaks: NAME, FILE, or either with +PROFILE; defaults to the scheme of --server.",
            valueName: "name"), completion: .dialect)
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            """
            Observe the CPU, memory, threads, files and sockets of a server process and its child \
            processes, given by its PID; or read metrics from a Prometheus endpoint, given as \
            http://HOST/metrics#NAME. A server started by --exec is always observed. \
            Repeatable.
            """, valueName: "pid|url"))
    var watch: [WatchArgument] = []

    func validate() throws {
        for word in watch { try word.validate("--watch") }
    }
}

/// Options for what the simulated users do.
struct WorkloadOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Number of simulated users, called operators (default: 100).", valueName: "count"))
    var operators: Int?

    @Option(help: ArgumentHelp("Operators in each room (default: 10).", valueName: "count"))
    var roomSize: Int?

    @Option(
        help: ArgumentHelp(
            """
            open: send at a fixed rate, however slow the server is; closed: each operator waits for \
            its message to arrive before it sends the next. Defaults to open.
            """, valueName: "model"))
    var model: ModelArgument?

    @Option(
        help: ArgumentHelp(
            "Open model: total messages per second from all operators (default: 100/s).",
            valueName: "rate"), transform: LoadArgument.rate)
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "Open model: send at even intervals (the default) or at random intervals, as independent users would.",
            valueName: "pace"))
    var pace: ArrivalSchedule.Pace?

    @Option(
        help: ArgumentHelp(
            """
            Closed model: pause before each message, fixed (1s), uniform (1s..3s) or exponential \
            (~1s). Defaults to 1s.
            """, valueName: "time"), transform: LoadArgument.think)
    var think: ThinkTime?

    @Option(
        help: ArgumentHelp(
            """
            Actions with weights: say (to the room), relay (to one operator) and probe. say and relay \
            cannot be mixed. Defaults to the first one that the dialect supports.
            """, valueName: "action=weight,..."), completion: .list(MixArgument.words),
        transform: MixArgument.init)
    var mix: MixArgument?

    @Option(
        help: ArgumentHelp(
            """
            Kind of operator with its weight: talker, listener, slow-reader, slow-writer, silent, mute, \
            half-closed, reconnecting, or a scenario file. Repeatable.
            """, valueName: "kind=weight"), completion: .list(KindArgument.words),
        transform: KindArgument.init)
    var kind: [KindArgument] = []

    @Option(
        help: ArgumentHelp(
            "Add a kind of operator that repeats this scenario. Repeatable.",
            valueName: "file"), completion: .file(extensions: ["chat"]))
    var scenario: [String] = []

    @Option(help: ArgumentHelp("Size of each generated message (default: 64).", valueName: "bytes"))
    var textBytes: Int?
}

/// Options for the start of a load test and the length of its phases.
struct LoadScheduleOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Measurement duration (default: 10s).", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Spread operator logins over this time (default: all at once).",
            valueName: "time"),
        transform: DurationArgument.init)
    var ramp: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Warm-up time before the measurement (default: none).", valueName: "time"),
        transform: DurationArgument.init)
    var warmup: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Grace period for in-flight messages after sending ends (default: 5s).",
            valueName: "time"),
        transform: DurationArgument.init)
    var drain: DurationArgument?

    @Option(
        help: ArgumentHelp("Timeout for an operator's login (default: 30s).", valueName: "time"),
        transform: DurationArgument.init)
    var loginTimeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            """
            Start sending at this time, on all machines: 2026-03-01T12:00:00Z, @1772366400 or +30s. \
            Operators connect before then.
            """, valueName: "time"), transform: LoadArgument.start)
    var startAt: StartTime?
}

/// Options for the processes that generate the load.
struct LoadGeneratorOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Number of threads (default: 1).", valueName: "count"))
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            """
            Number of processes, each with its own threads, open-file limit and share of rooms and \
            rate (default: 1).
            """, valueName: "count"))
    var processes: Int?

    @Option(
        help: ArgumentHelp(
            """
            Generate one part of a load test that runs on several machines: 0/3 is the first of \
            three; auto gets both numbers from MPI, Slurm or Kubernetes; auto/3 supplies the count \
            if they do not.
            """, valueName: "index/count"))
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "Send in batches at multiples of this interval; 0 sends each message individually (default: 1ms).",
            valueName: "time"),
        transform: DurationArgument.orNothing)
    var batchInterval: Int64?

    @Option(
        help: ArgumentHelp(
            "Local address to connect from. Repeatable; connections use the addresses in turn.",
            valueName: "address"))
    var source: [String] = []

    @Flag(help: "Close connections with a reset, so that no port stays in TIME_WAIT.")
    var reset = false

    @Option(
        help: ArgumentHelp("Seed for all randomness (default: random).", valueName: "number"))
    var seed: UInt64?
}

/// Options for a load test's thresholds.
struct LoadThresholdOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Fail unless this holds: 'p99(say) < 50ms', 'lost == 0', 'rate >= 99%'. Repeatable.
            """, valueName: "threshold"), transform: LoadArgument.threshold)
    var threshold: [Threshold] = []

    @Option(
        help: ArgumentHelp(
            "End the load test when a threshold has been violated for this long; 0 ends it immediately.",
            valueName: "time"), transform: DurationArgument.orNothing)
    var abortOnFail: Int64?

    @Option(
        help: ArgumentHelp(
            """
            End the load test as failed if the server exceeds this budget for three seconds: \
            'cpu < 150%', 'memory < 2GiB' or 'errors < 1%'. Repeatable.
            """, valueName: "budget"), transform: LoadArgument.budget)
    var budget: [LoadBudget] = []

    @Option(
        help: ArgumentHelp(
            """
            Search for the highest rate at which this threshold holds: 'p99(say) < 50ms'. \
            Repeatable; all must hold.
            """, valueName: "threshold"), transform: LoadArgument.threshold)
    var findRate: [Threshold] = []
}

/// Options for the reports and progress display of `load`.
struct LoadOutputOptions: ParsableArguments {
    @Option(help: SchemaMode.help)
    var schema = SchemaMode.warn

    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics at http://ADDRESS/metrics during the load test.",
            valueName: "address"), transform: ListenArgument.init)
    var metrics: ListenArgument?

    @Option(
        defaultAsFlag: LiveArgument.anyPort,
        help: ArgumentHelp(
            """
            Serve a page that shows the load test while it runs, and can pause or stop it or \
            change its rate. Without an address, a free port of 127.0.0.1 is used. On a non-local \
            address, the page needs the token in its URL.
            """, valueName: "address"), transform: LiveArgument.init)
    var live: LiveArgument?

    @Flag(name: .shortAndLong, help: "Only show the summary.")
    var quiet = false
}

extension WorkloadOptions {
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

    /// Overrides a plan's values with command-line options.
    ///
    /// - Parameter findsRate: Whether to search for the highest rate, which requires the open
    ///   model.
    func override(_ plan: inout LoadPlan, findsRate: Bool) throws {
        plan.operators = operators ?? plan.operators
        plan.roomSize = roomSize ?? plan.roomSize
        plan.isClosed = model.map { $0 == .closed } ?? plan.isClosed
        if let pace { plan.pace = pace }
        plan.textBytes = textBytes ?? plan.textBytes
        let scenarios = plan.kinds.compactMap(\.scenario)
        if let scenario = scenarios.first, scenarios.count == plan.kinds.count,
            mix != nil || !kind.isEmpty
        {
            throw ValidationError(
                "\(mix == nil ? "--kind" : "--mix") would replace the scenario \(scenario); to combine "
                    + "them, use --kind \(scenario)=1 --kind talker=1")
        }
        if let mix {
            plan.mix = mix.mix
            plan.kinds = []
        }
        if !kind.isEmpty || !scenario.isEmpty {
            plan.kinds = kind.map(\.kind) + scenario.map { OperatorKind(scenario: $0) }
            let names = plan.kinds.map(\.name)
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw ValidationError("--kind \(twice) is given twice")
            }
            if mix != nil, !plan.kinds.contains(where: \.doesUsual) {
                throw ValidationError("--mix has no effect without --kind talker")
            }
            guard plan.kinds.contains(where: { $0.doesUsual || $0.scenario != nil }) else {
                throw ValidationError("no --kind sends anything; add --kind talker")
            }
        }
        let isClosed = plan.isClosed ?? false
        if isClosed, pace != nil {
            throw ValidationError("--pace requires --model open")
        }
        if isClosed, rate != nil {
            throw ValidationError("--rate requires --model open; use --think with the closed model")
        }
        if !isClosed, think != nil {
            throw ValidationError("--think requires --model closed")
        }
        if isClosed, findsRate {
            throw ValidationError("--find-rate requires --model open")
        }
        if let think {
            plan.think = think
            for index in plan.stages.indices { plan.stages[index].think = nil }
            for index in plan.kinds.indices { plan.kinds[index].think = nil }
        }
    }
}

extension LoadScheduleOptions {
    /// Overrides a plan's values with command-line options. If a rate is given, it replaces all
    /// stages of the plan with a single stage at that rate.
    func override(_ plan: inout LoadPlan, rate: Double?) {
        plan.ramp = ramp?.nanoseconds ?? plan.ramp
        plan.warmup = warmup?.nanoseconds ?? plan.warmup
        plan.drain = drain?.nanoseconds ?? plan.drain
        plan.loginTimeout = loginTimeout?.nanoseconds ?? plan.loginTimeout
        let isClosed = plan.isClosed ?? false
        let isOfOtherModel =
            plan.stages.contains { isClosed == !$0.rates.isEmpty }
        if plan.stages.isEmpty || isOfOtherModel {
            let duration = duration?.nanoseconds ?? plan.duration ?? LoadPlan.durationDefault
            plan.stages = [LoadPlan.Stage(duration: duration)]
            if !isClosed { plan.hold(rate: rate ?? LoadPlan.rateDefault) }
            return
        }
        if let rate { plan.hold(rate: rate) }
        if let duration { plan.scale(to: duration.nanoseconds) }
    }
}

extension LoadGeneratorOptions {
    /// Overrides a plan's values with command-line options.
    func override(_ plan: inout LoadPlan) {
        plan.batchInterval = batchInterval ?? plan.batchInterval
        plan.workers = workers ?? plan.workers
        plan.processes = processes ?? plan.processes
        plan.seed = seed ?? plan.seed
        if reset { plan.resets = true }
    }

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

extension LoadOutputOptions {
    func validate() throws {
        if let problem = live?.problem {
            throw ValidationError("--live cannot use this address: \(problem)")
        }
    }
}
