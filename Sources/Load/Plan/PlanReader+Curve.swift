import Diagnostics
import DialectFiles

/// Reads rate curves from CSV files. Each row has a time in seconds and a rate; rates in between
/// are interpolated linearly.
extension PlanReader {
    package static let curveBytesMax = 1 << 20

    static func curve(
        _ setting: Setting, _ section: Section, isClosed: Bool,
        _ file: (String) -> Result<[UInt8], Unreadable>
    ) -> LoadPlan.Stage? {
        let others: [any SettingKey] = [StageKeys.rate, StageKeys.steps, StageKeys.think]
        for key in others.map(\.key) {
            guard let other = section[key] else { continue }
            refuse(
                other, "`curve` and `\(key.name)` are mutually exclusive", help: "keep one of them")
        }
        if isClosed {
            refuse(
                setting, "`curve` requires the open model",
                help: "remove `model: closed`, or use `think` instead")
            return nil
        }
        guard let path = setting.text(bytesMax: 1_000) else { return nil }
        let bytes: [UInt8]
        switch file(path) {
        case .success(let found): bytes = found
        case .failure(let error):
            setting.problems.error(
                "dialect.unreadable",
                "cannot read curve `\(shortened(path))`: \(error.reason)",
                at: setting.value.range)
            return nil
        }
        do {
            let rates = try points(bytes)
            var stage = LoadPlan.Stage(
                name: section.value(StageKeys.name),
                duration: rates.reduce(0) { $0 + $1.duration }, rates: rates)
            if let length = section[StageKeys.duration]?.duration(), length > 0 {
                var plan = LoadPlan()
                plan.stages = [stage]
                plan.scale(to: length)
                stage = plan.stages[0]
            }
            return stage
        } catch {
            setting.problems.error(
                "dialect.bad-value", "`\(shortened(path))`: \(error.expected)",
                at: setting.value.range, help: "write rows such as `0,100` and `60,500`")
            return nil
        }
    }

    /// Parses rows of the form `second,rate`. A header row, empty rows and comments are skipped.
    static func points(_ bytes: [UInt8]) throws(PlanText.Malformed) -> [RateStage] {
        var points: [(time: Double, rate: Double)] = []
        for (number, row) in bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        )
        .enumerated() {
            let text = String(decoding: row, as: UTF8.self).filter { !" \t\r".contains($0) }
            if text.isEmpty || text.hasPrefix("#") { continue }
            let cells = text.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count == 2, let time = Double(cells[0]), let rate = Double(cells[1]) else {
                if points.isEmpty, number == 0 { continue }
                throw PlanText.Malformed(expected: "row \(number + 1) is not a time and a rate")
            }
            guard rate >= 0, rate <= PlanText.rateMax, time >= 0, time <= 1e6 else {
                throw PlanText.Malformed(
                    expected: "a number in row \(number + 1) is negative or too large")
            }
            if let last = points.last, time <= last.time {
                throw PlanText.Malformed(
                    expected: "the time in row \(number + 1) is not later than in the previous row")
            }
            guard points.count <= LoadPlan.stagesMax else {
                throw PlanText.Malformed(expected: "there are more than \(LoadPlan.stagesMax) rows")
            }
            points.append((time, rate))
        }
        guard points.count > 1, points.contains(where: { $0.rate > 0 }) else {
            throw PlanText.Malformed(
                expected: "at least two rows are needed, one of them with a rate above 0")
        }
        return zip(points, points.dropFirst()).map { from, to in
            RateStage(
                duration: Int64(((to.time - from.time) * 1e9).rounded()), startRate: from.rate,
                endRate: to.rate)
        }
    }
}
