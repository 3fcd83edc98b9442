package import Diagnostics
import DialectFiles
import Results

/// Parser for plan files. Functions that return an optional report an error and return nil if a
/// setting is invalid.
package enum PlanReader {
    private typealias Keys = PlanKeys

    /// Parses a plan file.
    ///
    /// - Parameter file: Reads another file the plan refers to.
    /// - Throws: All errors found in the plan.
    package static func plan(
        _ source: SourceText,
        file: (String) -> Result<[UInt8], Unreadable> = { _ in
            .failure(.init("files cannot be read here"))
        }
    ) throws(Diagnosed) -> LoadPlan {
        let root = try YamlReader.read(source, as: .plan)
        let problems = Problems(source, .plan)
        if let key = root?.key(in: ["framing", "fields", "commands"]) {
            problems.error(
                "plan.is-dialect", "this file is a dialect, not a plan", at: key.range,
                help: "pass it with --dialect, as in `linejudge load --dialect FILE`")
            throw Diagnosed(problems.list.sorted)
        }
        guard let root, let top = Section(root, Keys.table, problems) else {
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

    /// The reason a file referenced by a plan cannot be read.
    package struct Unreadable: Error, Sendable {
        package var reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    private static func read(
        _ top: Section, _ problems: Problems, _ file: (String) -> Result<[UInt8], Unreadable>
    ) -> LoadPlan {
        var plan = LoadPlan()
        plan.name = top.value(Keys.name)
        plan.target = top.value(Keys.target)
        plan.dialect = top.value(Keys.dialect)
        plan.operators = top.value(Keys.operators)
        plan.roomSize = top.value(Keys.roomSize)
        plan.isClosed = top.value(Keys.isClosed)
        plan.pace = top.value(Keys.pace)
        plan.think = top.value(Keys.think)
        plan.textBytes = top.value(Keys.textBytes)
        plan.workers = top.value(Keys.workers)
        plan.processes = top.value(Keys.processes)
        plan.seed = top.value(Keys.seed).map { UInt64($0) }
        plan.abortGrace = top.value(Keys.abortGrace)
        plan.resets = top.value(Keys.resets)
        plan.ramp = top.value(Keys.ramp)
        plan.warmup = top.value(Keys.warmup)
        plan.drain = top.value(Keys.drain)
        plan.loginTimeout = top.value(Keys.loginTimeout)
        let earlierInterval = top.value(Keys.earlierBatchInterval)
        plan.batchInterval = top.value(Keys.batchInterval) ?? earlierInterval
        plan.mix = top[Keys.mix].flatMap { mix($0) }
        plan.kinds = top[Keys.kinds].map(kinds) ?? []
        plan.stages = stages(top[Keys.stages], isClosed: plan.isClosed ?? false, file)
        plan.thresholds = top[Keys.thresholds].map(thresholds) ?? []
        check(top, plan, problems)
        return plan
    }

    /// Reports settings that contradict each other.
    private static func check(_ top: Section, _ plan: LoadPlan, _ problems: Problems) {
        if let mix = top[Keys.mix], let kinds = top[Keys.kinds] {
            problems.error(
                "dialect.conflict", "`mix` and `kinds` are mutually exclusive",
                at: mix.key, help: "give each kind its actions with `does`", first: kinds.key)
        }
        if let think = top[Keys.think], plan.isClosed != true {
            problems.error(
                "dialect.conflict", "`think` requires the closed model", at: think.key,
                help: "write `model: closed`, or remove `think`")
        }
        if let pace = top[Keys.pace], plan.isClosed == true {
            problems.error(
                "dialect.conflict", "`pace` requires the open model", at: pace.key,
                help: "remove it; in the closed model, `think` sets the pace")
        }
        let actions = Set(plan.kinds.flatMap { $0.mix?.weights.map(\.action) ?? [] })
        if let kinds = top[Keys.kinds] {
            if actions.contains(.say), actions.contains(.relay) {
                problems.error(
                    "dialect.conflict", "`say` and `relay` cannot be mixed", at: kinds.key,
                    help: "use two plans")
            } else if actions.isEmpty, plan.kinds.allSatisfy({ $0.scenario == nil }),
                !problems.hasErrors
            {
                problems.error(
                    "dialect.conflict", "no kind sends anything", at: kinds.key,
                    help: "set `does: say` for one of them")
            }
        }
    }

    // MARK: Actions

    /// Parses a mix: `say`, or `{say: 3, probe: 1}`.
    static func mix(_ setting: Setting) -> ActionMix? {
        if case .scalar = setting.value.kind {
            return Keys.actions.read(setting).map { ActionMix([($0, 1)]) }
        }
        guard let section = setting.section(Keys.mixTable) else { return nil }
        if let say = section[Keys.say], let relay = section[Keys.relay] {
            setting.problems.error(
                "dialect.conflict", "`say` and `relay` cannot be mixed", at: relay.key,
                help: "use two plans", first: say.key)
            return nil
        }
        let keys: [(LoadAction, ValueKey<Int?>)] = [
            (.say, Keys.say), (.relay, Keys.relay), (.probe, Keys.probe),
        ]
        let weights = keys.compactMap { action, key in
            section.value(key).map { (action: action, weight: Double($0)) }
        }
        guard !weights.isEmpty else {
            if section.settings.isEmpty { refuse(setting, "{}", "an action with its weight") }
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
                    at: entry.value.range,
                    help: "write a condition such as `p99(say) < 50ms` or `lost == 0`")
                return nil
            }
        }
    }
}
