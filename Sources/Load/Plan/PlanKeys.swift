package import DialectFiles
import LineProtocol

/// Top-level keys of a plan file.
package enum PlanKeys {
    static let name = ValueKey("name", "The plan's name in reports", .text(bytesMax: 200))
    static let target = ValueKey(
        "target", "Server URL; the reference server by default", .text(bytesMax: 1_000))
    static let dialect = ValueKey(
        "dialect", "Dialect name or file", .text(bytesMax: 1_000))
    static let operators = ValueKey(
        "operators", "Number of operators", .number(1...FleetPlan.operatorsMax))
    static let roomSize = ValueKey(
        "room-size", "Operators per room", .number(1...RoomLayout.roomSizeMax))
    static let isClosed = ValueKey(
        "model",
        "Send messages on a schedule (`open`), or each after the previous one arrives (`closed`)",
        .words(["open": false, "closed": true]), inherited: false)
    static let pace = ValueKey(
        "pace", "Open model: even or random intervals",
        .words(["constant": ArrivalSchedule.Pace.constant, "poisson": .poisson]))
    static let think = ValueKey(
        "think", "Closed model: pause before the next message, such as `1s..3s`", .think)
    static let mix = Key("mix", "Actions of all operators", mixShape)
    static let kinds = Key(
        "kinds", "Several kinds of operators instead of `mix`",
        .list(of: .map(KindKeys.table), max: LoadPlan.kindsMax))
    static let stages = Key(
        "stages", "Consecutive parts of the measurement period",
        .list(of: .map(StageKeys.table), max: LoadPlan.stagesMax))
    static let thresholds = Key(
        "thresholds", "Conditions that the load test must meet, such as `p99(say) < 50ms`",
        .list(of: .text(bytesMax: 200), max: LoadPlan.thresholdsMax))
    static let textBytes = ValueKey(
        "text-bytes", "Message length in bytes",
        .number(MessageText.bytesMin...MessageText.bytesMax))
    static let ramp = ValueKey("ramp", "Time over which operator logins are spread", .time)
    static let warmup = ValueKey("warmup", "Warm-up time before the measurement", .time)
    static let drain = ValueKey("drain", "Grace period for in-flight messages at the end", .time)
    static let loginTimeout = ValueKey("login-timeout", "Maximum time for a login", .time)
    static let batchInterval = ValueKey(
        "batch-interval", "Interval for batching sends; 0 sends each message individually",
        .time)
    static let earlierBatchInterval = ValueKey(
        "quantum", "Former name of `batch-interval`", .time, isDeprecated: true)
    static let workers = ValueKey(
        "workers", "Threads that generate the load", .number(1...FleetOptions.workersMax))
    static let processes = ValueKey(
        "processes", "Processes that generate the load",
        .number(1...ProcessFleet.processesMax))
    static let seed = ValueKey("seed", "Seed for all randomness", .number(0...Int.max))
    static let resets = ValueKey("reset", "Close connections with a reset", .flag)
    static let abortGrace = ValueKey(
        "abort-on-fail", "Time that a threshold may be violated before the load test is aborted",
        .time)

    package static let table = KeyTable(
        "plan",
        [
            name, target, dialect, operators, roomSize, isClosed, pace, think, mix, kinds, stages,
            thresholds, textBytes, ramp, warmup, drain, loginTimeout, batchInterval,
            earlierBatchInterval,
            workers, processes, seed, resets, abortGrace,
        ])

    // MARK: Actions

    static let actions = ValueFormat<LoadAction>.words([
        "say": .say, "relay": .relay, "probe": .probe,
    ])
    static let say = weight("say", "Weight of messages to the room")
    static let relay = weight("relay", "Weight of messages to one other operator")
    static let probe = weight("probe", "Weight of probes")

    static let mixTable = KeyTable("mix", [say, relay, probe])
    static let mixShape = ValueShape.any([actions.shape, .map(mixTable)])

    private static func weight(_ name: String, _ summary: String) -> ValueKey<Int?> {
        ValueKey(name, summary, .number(1...OperatorKind.weightMax))
    }
}

/// Keys of a `kinds:` entry.
enum KindKeys {
    static let name = ValueKey(
        "name", "Name of the kind in reports", .name("a kind name"),
        missing: "name the kind")
    static let weight = ValueKey(
        "weight", "Share of the operators, relative to the other kinds",
        .number(1...OperatorKind.weightMax), default: 1)
    static let does = Key(
        "does", "An action, actions with weights, or `nothing` for a listener",
        .any([.words([nothing]), PlanKeys.mixShape]))
    static let think = ValueKey("think", "Pause before the next message (closed model)", .think)
    static let behaviour = ValueKey(
        "behaviour", "How these operators misbehave",
        .words(OperatorBehaviour.Role.allCases.map { ($0.word, $0) }))
    static let earlierBehaviour = ValueKey(
        "persona", "Former name of `behaviour`",
        .words(OperatorBehaviour.Role.allCases.map { ($0.word, $0) }), isDeprecated: true)
    static let scenario = ValueKey(
        "scenario", "Scenario file that the operators run; the path is relative to the plan",
        .text(bytesMax: 1_000))
    static let reads = ValueKey(
        "reads", "Read rate of a slow reader, in bytes per second", .byteRate)
    static let receiveBuffer = ValueKey(
        "receive-buffer", "Receive buffer size of a slow reader", .receiveBuffer)
    static let writes = ValueKey(
        "writes", "Write rate of a slow writer, in bytes per second", .byteRate)
    static let every = ValueKey(
        "every", "Time between an operator's reconnects", .stay)
    static let away = ValueKey("away", "Time that an operator stays disconnected", .stay)
    static let by = ValueKey(
        "by", "How a reconnecting operator leaves",
        .words(OperatorBehaviour.Leave.allCases.map { ($0.rawValue, $0) }))

    static let table = KeyTable(
        "kind",
        [name, weight, does, think, behaviour, earlierBehaviour, scenario] + owners.map(\.key))

    static let nothing = "nothing"

    /// Keys that apply to a single behaviour, each with that behaviour.
    static let owners: [(key: any SettingKey, role: OperatorBehaviour.Role)] = [
        (reads, .slowReader), (receiveBuffer, .slowReader), (writes, .slowWriter),
        (every, .reconnecting), (away, .reconnecting), (by, .reconnecting),
    ]
}

/// Keys of a `stages:` entry.
enum StageKeys {
    static let name = ValueKey(
        "name", "Stage name, to make the plan easier to read", .text(bytesMax: 100))
    static let duration = Key(
        "for", "Stage duration", .pattern("^\(Durations.pattern)$", example: "10s"))
    static let rate = Key(
        "rate", "Rate, or a linear ramp such as `0..500/s`",
        .any([
            .pattern("^\(PlanText.ratePattern)(\\.\\.\(PlanText.ratePattern))?$", example: "100/s"),
            .quantity,
        ]))
    static let steps = Key(
        "steps", "Rates, each for an equal part of the stage",
        .list(of: PlanText.rateShape, max: LoadPlan.stagesMax))
    static let think = ValueKey("think", "Pause before the next message (closed model)", .think)
    static let curve = Key(
        "curve",
        "File with a time (in seconds) and a rate in each row; the path is relative to the plan",
        .text(bytesMax: 1_000))

    static let table = KeyTable("stage", [name, duration, rate, steps, think, curve])
}
