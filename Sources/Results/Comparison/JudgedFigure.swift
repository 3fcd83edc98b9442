/// A figure in a comparison of two load tests, with what is needed to judge it.
///
/// The interval of each figure depends on the number of figures, because the confidence level
/// applies to all intervals jointly: of sixty separate 95% intervals, three would miss the true
/// value by chance.
struct JudgedFigure {
    /// Index of the figure in the comparison.
    var index: Int
    /// Interval of the difference that accounts only for the variation within the load tests.
    var within: Interval
    /// The figure's variation between load tests, as estimated from the first and from the second
    /// one; nil if unknown.
    var variations: [LoadVariation.Variation?]
    var moreIsBetter: Bool
}

extension Comparison {
    /// Judges the figures of two load tests, and adds doubts if noise may explain a deterioration.
    mutating func judge(
        _ judged: [JudgedFigure], _ noise: PairedNoise, _ loads: (LoadResults, LoadResults)
    ) {
        let confidence = Self.joint(confidence, judged.count)
        let typical = [noise.variations.0.typical, noise.variations.1.typical]
        var hidden = 0
        var isUnknown = false
        for one in judged {
            let values = figures[one.index].values.compactMap(\.self)
            guard values.count == 2 else { continue }
            let alone = finding(
                values[0], values[1], one.within, moreIsBetter: one.moreIsBetter)
            let known = zip(one.variations, typical).compactMap { $0 ?? $1 }
            guard known.count == 2 else {
                figures[one.index].interval = one.within
                figures[one.index].finding =
                    alone == .worse || alone == .better ? .unsure : alone
                hidden += alone == .worse ? 1 : 0
                isUnknown = isUnknown || alone == .worse
                continue
            }
            let interval = noise.widened(
                one.within, (values[0], values[1]), (known[0], known[1]), confidence: confidence)
            let finding = finding(
                values[0], values[1], interval, moreIsBetter: one.moreIsBetter)
            figures[one.index].interval = interval
            figures[one.index].finding = finding
            if alone == .worse, finding != .worse { hidden += 1 }
        }
        if hidden > 0 { addNoiseDoubts(hidden, isUnknown: isUnknown, noise, loads) }
    }

    /// Returns the confidence level that each of `count` intervals needs for a joint level of
    /// `confidence` (Bonferroni).
    static func joint(_ confidence: Double, _ count: Int) -> Double {
        1 - (1 - confidence) / Double(max(count, 1))
    }

    private mutating func addNoiseDoubts(
        _ hidden: Int, isUnknown: Bool, _ noise: PairedNoise, _ loads: (LoadResults, LoadResults)
    ) {
        let metrics = hidden == 1 ? "1 metric is" : "\(hidden) metrics are"
        let source =
            isUnknown
            ? "the load tests are too short to show how much load tests of the same server differ"
            : "load tests of the same server may differ as much"
        noiseDoubts.append("\(metrics) worse, but \(source)")
        for (results, name) in [(loads.0, names.0), (loads.1, names.1)] {
            guard let machine = results.machine, let cores = machine.otherCores,
                (machine.otherShare ?? 0) >= LoadVariation.otherShareMin
            else { continue }
            let tenths = Int((cores * 10).rounded())
            noiseDoubts.append(
                "\(name): other processes used \(tenths / 10).\(tenths % 10) of "
                    + "\(machine.processors) cores")
        }
        noiseDoubts.append(
            "to decide, compare repeated load tests: `load --repeat 5 --against URL`")
    }
}
