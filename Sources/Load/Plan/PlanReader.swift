package import Diagnostics
import DialectFiles
import Results

/// Reader of plan files.
package enum PlanReader {
    /// The keys of a plan file; `quantum` is the old name of `batch-interval`.
    static let keys = [
        "name", "target", "dialect", "operators", "room-size", "model", "pace", "think", "mix",
        "kinds", "stages", "thresholds", "text-bytes", "ramp", "warmup", "drain", "login-timeout",
        "batch-interval", "quantum", "workers", "processes", "seed", "reset", "abort-on-fail",
    ]

    /// Reads a plan.
    ///
    /// - Parameter file: Reads a file that the plan refers to.
    /// - Throws: All errors in the plan.
    package static func plan(
        _ source: SourceText,
        file: (String) -> Result<[UInt8], Unreadable> = { _ in
            .failure(.init("it cannot be read here"))
        }
    ) throws(Diagnosed) -> LoadPlan {
        let root = try YamlReader.read(source, as: .plan)
        let problems = Problems(source, .plan)
        guard let root, let top = Section(root, keys: keys, problems) else {
            if !problems.hasErrors {
                problems.error(
                    "dialect.empty", "the plan is empty", at: SourceRange(start: 0, end: 0),
                    help: "write at least `stages: [{for: 10s, rate: 100/s}]`")
            }
            throw Diagnosed(problems.list.sorted)
        }
        let plan = read(top, problems, file)
        if problems.hasErrors { throw Diagnosed(problems.list.sorted) }
        return plan
    }

    /// The reason why a file that a plan refers to cannot be read.
    package struct Unreadable: Error, Sendable {
        package var reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    private static func read(
        _ top: Section, _ problems: Problems, _ file: (String) -> Result<[UInt8], Unreadable>
    ) -> LoadPlan {
        var plan = LoadPlan()
        plan.name = top["name"]?.text(bytesMax: 200)
        plan.target = top["target"]?.text(bytesMax: 1_000)
        plan.dialect = top["dialect"]?.text(bytesMax: 1_000)
        plan.operators = top["operators"]?.number(in: 1...FleetPlan.operatorsMax)
        plan.roomSize = top["room-size"]?.number(in: 1...RoomLayout.roomSizeMax)
        plan.isClosed = top["model"]?.word(["open": false, "closed": true])
        plan.pace = top["pace"]?.word(["constant": .constant, "poisson": .poisson])
        plan.think = top["think"].flatMap(think)
        plan.textBytes = top["text-bytes"]?.number(
            in: MessageText.bytesMin...MessageText.bytesMax)
        plan.workers = top["workers"]?.number(in: 1...FleetOptions.workersMax)
        plan.processes = top["processes"]?.number(in: 1...ProcessFleet.processesMax)
        plan.seed = top["seed"]?.number(in: 0...Int.max).map { UInt64($0) }
        plan.abortGrace = top["abort-on-fail"].flatMap(time)
        plan.resets = top["reset"]?.flag()
        plan.ramp = top["ramp"].flatMap(time)
        plan.warmup = top["warmup"].flatMap(time)
        plan.drain = top["drain"].flatMap(time)
        plan.loginTimeout = top["login-timeout"].flatMap(time)
        plan.quantum = (top["batch-interval"] ?? top["quantum"]).flatMap(time)
        plan.mix = top["mix"].flatMap { mix($0) }
        plan.kinds = top["kinds"].map(kinds) ?? []
        plan.stages = stages(top["stages"], isClosed: plan.isClosed ?? false, file)
        plan.thresholds = top["thresholds"].map(thresholds) ?? []
        check(top, plan, problems)
        return plan
    }

    /// Reports settings that contradict one another.
    private static func check(_ top: Section, _ plan: LoadPlan, _ problems: Problems) {
        if let mix = top["mix"], let kinds = top["kinds"] {
            problems.error(
                "dialect.conflict", "`mix` and `kinds` are mutually exclusive",
                at: mix.key, help: "give each kind its actions with `does`", first: kinds.key)
        }
        if let think = top["think"], plan.isClosed != true {
            problems.error(
                "dialect.conflict", "`think` requires the closed model", at: think.key,
                help: "write `model: closed`, or remove `think`")
        }
        if let pace = top["pace"], plan.isClosed == true {
            problems.error(
                "dialect.conflict", "`pace` requires the open model", at: pace.key,
                help: "remove it; in the closed model `think` sets the pace")
        }
        let actions = Set(plan.kinds.flatMap { $0.mix?.weights.map(\.action) ?? [] })
        if let kinds = top["kinds"] {
            if actions.contains(.say), actions.contains(.relay) {
                problems.error(
                    "dialect.conflict", "`say` and `relay` cannot be mixed", at: kinds.key,
                    help: "use two plans")
            } else if actions.isEmpty, plan.kinds.allSatisfy({ $0.scenario == nil }),
                !problems.hasErrors
            {
                problems.error(
                    "dialect.conflict", "no kind does anything", at: kinds.key,
                    help: "give one of them `does: say`")
            }
        }
    }

    // MARK: Times

    /// Reads a duration; `0` is allowed.
    static func time(_ setting: Setting) -> Int64? {
        if case .scalar("0", _) = setting.value.kind { return 0 }
        return setting.duration()
    }

    // MARK: What operators do

    /// Reads a mix: `say`, or `{say: 3, probe: 1}`.
    static func mix(_ setting: Setting) -> ActionMix? {
        let words: KeyValuePairs = ["say": LoadAction.say, "relay": .relay, "probe": .probe]
        if case .scalar = setting.value.kind {
            return setting.word(words).map { ActionMix([($0, 1)]) }
        }
        guard let section = setting.section(words.map(\.key)) else { return nil }
        if let say = section["say"], let relay = section["relay"] {
            setting.problems.error(
                "dialect.conflict", "`say` and `relay` cannot be mixed", at: relay.key,
                help: "use two plans", first: say.key)
            return nil
        }
        let weights = words.compactMap { name, action in
            section[name]?.number(in: 1...OperatorKind.weightMax)
                .map { (action: action, weight: Double($0)) }
        }
        guard !weights.isEmpty else {
            if section.settings.isEmpty { tell(setting, "{}", "an action with its weight") }
            return nil
        }
        return ActionMix(weights)
    }

    private static func thresholds(_ setting: Setting) -> [Threshold] {
        guard let entries = setting.list(max: LoadPlan.thresholdsMax) else { return [] }
        return entries.compactMap { entry -> Threshold? in
            guard let text = entry.text(bytesMax: 200) else { return nil }
            do throws(Threshold.Malformed) {
                return try Threshold(text)
            } catch {
                entry.problems.error(
                    "dialect.bad-value", "`\(shortened(text))` is not a threshold: \(error.reason)",
                    at: entry.value.range, help: "such as `p99(say) < 50ms`, or `lost == 0`")
                return nil
            }
        }
    }
}
