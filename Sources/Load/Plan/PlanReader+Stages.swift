import Diagnostics
import DialectFiles

/// Parses `stages` in a plan.
extension PlanReader {
    private typealias Keys = StageKeys

    static func stages(
        _ setting: Setting?, isClosed: Bool, _ file: (String) -> Result<[UInt8], Unreadable>
    ) -> [LoadPlan.Stage] {
        guard let entries = setting?.list(max: LoadPlan.stagesMax) else { return [] }
        return entries.compactMap { entry in
            guard let section = entry.section(Keys.table)
            else { return nil }
            if let curve = section[Keys.curve] {
                return self.curve(curve, section, isClosed: isClosed, file)
            }
            guard
                let length = section.required(
                    Keys.duration.name, "the stage duration: `for: 10s`"),
                let duration = length.duration()
            else { return nil }
            guard duration > 0 else {
                refuse(length, "`\(length.path)` must be longer than 0")
                return nil
            }
            var stage = LoadPlan.Stage(
                name: section.value(Keys.name), duration: duration)
            if isClosed {
                stage.think = section.value(Keys.think)
                for key in [Keys.rate, Keys.steps] {
                    if let setting = section[key] {
                        refuse(
                            setting, "`\(key.name)` requires the open model",
                            help: "remove `model: closed`, or use `think` instead")
                    }
                }
                return stage
            }
            if let think = section[Keys.think] {
                refuse(
                    think, "`think` requires the closed model",
                    help: "write `model: closed`, or use `rate` instead")
            }
            guard let rates = rates(section, duration) else { return nil }
            stage.rates = rates
            return stage
        }
    }

    static func refuse(_ setting: Setting, _ message: String, help: String? = nil) {
        setting.problems.error("dialect.conflict", message, at: setting.key, help: help)
    }

    static func refuse(_ setting: Setting, _ text: String, _ expected: String) {
        setting.problems.error(
            "dialect.bad-value",
            "`\(setting.path)` must be \(expected), found `\(shortened(text))`",
            at: setting.value.range)
    }

    /// Parses `rate: 100/s`, `rate: 0..500/s` or `steps: [100/s, 200/s]`.
    private static func rates(_ section: Section, _ duration: Int64) -> [RateStage]? {
        if let rate = section[Keys.rate] {
            if let steps = section[Keys.steps] {
                section.problems.error(
                    "dialect.conflict", "`rate` and `steps` are mutually exclusive", at: steps.key,
                    help: "keep one of them", first: rate.key)
                return nil
            }
            guard let text = rate.text(bytesMax: 64) else { return nil }
            do {
                let (start, end) = try PlanText.rates(text)
                return [RateStage(duration: duration, startRate: start, endRate: end)]
            } catch {
                refuse(rate, text, error.expected + ", or 100/s..500/s")
                return nil
            }
        }
        if let steps = section[Keys.steps] { return stepRates(steps, duration) }
        _ = section.required(Keys.rate.name, "the rate: `rate: 100/s`, or `steps: [100/s, 200/s]`")
        return nil
    }

    /// Parses steps of equal length.
    private static func stepRates(_ steps: Setting, _ duration: Int64) -> [RateStage]? {
        guard let entries = steps.list(max: LoadPlan.stagesMax) else { return nil }
        if entries.isEmpty {
            refuse(steps, "`\(steps.path)` needs at least one rate, such as [100/s, 200/s]")
            return nil
        }
        let count = Int64(entries.count)
        return entries.enumerated().compactMap { index, entry -> RateStage? in
            guard let text = entry.text(bytesMax: 64) else { return nil }
            let number = Int64(index)
            let length = duration * (number + 1) / count - duration * number / count
            do throws(PlanText.Malformed) {
                return RateStage(duration: length, rate: try PlanText.rate(text))
            } catch {
                refuse(entry, text, error.expected)
                return nil
            }
        }
    }
}
