import ArgumentParser
import Load
import Report

/// What a load consists of.
struct LoadShapeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Simulated operators.", valueName: "count"))
    var operators = 100

    @Option(help: ArgumentHelp("Operators in a room.", valueName: "count"))
    var roomSize = 10

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
            "Of the open model: constant, or poisson: as independent people would.",
            valueName: "pace"))
    var pace = PaceArgument.constant

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

    @Option(help: ArgumentHelp("Bytes of each generated text.", valueName: "count"))
    var textBytes = 64
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
    var quantum: Int64 = 1_000_000

    @Option(help: ArgumentHelp("Threads that generate the load.", valueName: "count"))
    var workers = 1

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
            """
            Write a report: pretty, html, json, csv, junit, hgrm or hlog; FILE - is standard \
            output. \
            Repeatable.
            """, valueName: "format=file"), transform: LoadReportArgument.init)
    var report: [LoadReportArgument] = []

    @Flag(name: .shortAndLong, help: "Show only the summary.")
    var quiet = false

    @OptionGroup var colours: ColourOptions
}

extension LoadShapeOptions {
    func validate() throws {
        if !(1...FleetPlan.operatorsMax).contains(operators) {
            throw ValidationError("--operators takes a number from 1 to \(FleetPlan.operatorsMax)")
        }
        if !(1...RoomLayout.roomSizeMax).contains(roomSize) {
            throw ValidationError("--room-size takes a number from 1 to \(RoomLayout.roomSizeMax)")
        }
        if !(MessageText.bytesMin...MessageText.bytesMax).contains(textBytes) {
            throw ValidationError(
                "--text-bytes takes a number from \(MessageText.bytesMin) to \(MessageText.bytesMax)"
            )
        }
        if isClosed, rate != nil {
            throw ValidationError("--rate is of the open model; the closed one has --think")
        }
        if !isClosed, think != nil {
            throw ValidationError("--think is of the closed model; write --model closed")
        }
    }

    /// Whether it is the closed model.
    var isClosed: Bool { (model ?? .open) == .closed }
}

extension LoadTimeOptions {
    /// How long is measured.
    var durationNanoseconds: Int64 { duration?.nanoseconds ?? 10_000_000_000 }

    func validate() throws {
        if !(1...FleetOptions.workersMax).contains(workers) {
            throw ValidationError("--workers takes a number from 1 to \(FleetOptions.workersMax)")
        }
    }
}

extension LoadShowingOptions {
    func validate() throws {
        if report.count(where: { OutputFile.isStandardOutput($0.path) }) > 1 {
            throw ValidationError("only one report can go to standard output")
        }
    }
}
