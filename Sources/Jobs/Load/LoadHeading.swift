import Diagnostics
import Load
import Report

extension LoadSummary {
    /// Returns the line to print before a load test starts.
    func heading(_ description: LoadDescription) -> String {
        let plan = description.plan
        let share = description.options.share
        let rooms = plan.layout.rooms(share).count
        var words = [counted(plan.operators(share), "operator")]
        if plan.layout.operators > 0 {
            words.append(rooms == 1 ? "1 room" : "\(grouped(UInt64(rooms))) rooms")
        }
        for script in plan.scripts {
            words.append("\(script.path) with \(counted(script.groups(share), "virtual user"))")
        }
        if let shard = description.shard {
            let source = shard.source.map { " from \($0)" } ?? ""
            words.insert("shard \(shard.description)\(source)", at: 0)
        }
        switch plan.model {
        case .open(let stages, let pace):
            let rates = stages.flatMap { [$0.startRate, $0.endRate] }
            let part = Double(share.count)
            let (minimum, maximum) = ((rates.min() ?? 0) / part, (rates.max() ?? 0) / part)
            let rate = Self.rate(maximum)
            words.append(
                "\(minimum < maximum ? "\(Self.rate(minimum)) to " : "")\(rate)\(pace == .poisson ? " at random intervals" : "")"
            )
        case .closed: words.append("closed model")
        }
        words.append("for \(durationText(description.options.duration))")
        let dialect = plan.operatorScript.dialectName
        return "\(style("linejudge load", .bold)) \(description.server) (\(dialect)): "
            + words.joined(separator: ", ") + "\n"
    }
}
