import Glibc

/// Load tests of the same server, for a comparison.
package struct LoadGroup: Sendable {
    /// Name of the group, usually the name of its file or of the server.
    package var name: String
    package var loads: [LoadResults]

    package init(name: String, loads: [LoadResults]) {
        self.name = name
        self.loads = loads
    }
}

extension Comparison {
    /// Quantiles that are compared between groups.
    fileprivate static let groupQuantiles = quantiles.prefix(3)
    /// Metrics derived from another metric. They are shown but not judged, because each judged
    /// figure widens all intervals.
    fileprivate static let derived: Set<LatencyMetric> = [
        .sayFirst, .sayMedian, .sayLast, .saySpread,
    ]

    /// Compares repeated load tests of two servers.
    ///
    /// Each load test counts as one value, so the intervals reflect all variation between load
    /// tests. A figure's change is the average ratio of its values, with an interval from Student's
    /// t distribution. The confidence level applies to all intervals jointly. Half of the
    /// probability of an error is allotted to the server's CPU time per message, which shows most
    /// reliably that a server has become slower.
    ///
    /// - Parameter isPaired: True if load tests with the same index ran one after the other. Then
    ///   only the differences within pairs count, so gradual changes of the machine have no effect.
    package static func of(
        _ first: LoadGroup, _ second: LoadGroup, isPaired: Bool = false, tolerance: Double,
        confidence: Double
    ) throws -> Comparison {
        guard let one = first.loads.first, let other = second.loads.first else {
            return Comparison(
                names: (first.name, second.name), abouts: ("", ""), tolerance: tolerance,
                confidence: confidence)
        }
        if first.loads.count == 1, second.loads.count == 1 {
            return try of(
                one, other, names: (first.name, second.name), tolerance: tolerance,
                confidence: confidence)
        }
        var comparison = Comparison(
            names: (first.name, second.name), abouts: (about(first.loads), about(second.loads)),
            tolerance: tolerance, confidence: confidence)
        comparison.notes = differences(one, other)
        let groups = (first.loads, second.loads)
        let isPaired = isPaired && groups.0.count == groups.1.count
        let values = try GroupFigure.all(groups)
        let levels = ConfidenceLevels(values, confidence)
        for value in values { comparison.add(value, isPaired: isPaired, levels.level(value)) }
        comparison.addDelivery(groups.0, groups.1)
        comparison.addGroupDoubts(first)
        comparison.addGroupDoubts(second)
        comparison.notePrecision(values, isPaired: isPaired, levels)
        return comparison
    }

    /// Returns the figures of repeated load tests of one server, each with its values in the load
    /// tests.
    package static func figures(
        of loads: [LoadResults]
    ) throws -> [(group: String, name: String, unit: Unit, values: [Double])] {
        try GroupFigure.all((loads, loads)).map {
            ($0.group, $0.name, $0.unit, $0.values.0.compactMap(\.self))
        }
    }

    private static func about(_ loads: [LoadResults]) -> String {
        let failed = loads.count { $0.verdict == .failed }
        let end = failed > 0 ? ", \(failed) of them failed" : ""
        guard let first = loads.first else { return "" }
        return loads.count == 1
            ? about(first)
            : "\(loads.count) load tests, \(first.dialect), \(first.requested.operators) operators\(end)"
    }

    private mutating func add(_ value: GroupFigure, isPaired: Bool, _ confidence: Double) {
        let known = value.known(isPaired: isPaired)
        var figure = Figure(
            group: value.group, name: value.name, unit: value.unit,
            values: [median(known.0), median(known.1)], finding: .shown)
        if let change = value.change(isPaired: isPaired, confidence: confidence),
            let base = figure.values[0]
        {
            figure.estimatedChange = exp(change.mean) - 1
            let interval = Interval(
                low: base * (exp(change.mean - change.half) - 1),
                high: base * (exp(change.mean + change.half) - 1))
            figure.interval = interval
            if value.isJudged {
                figure.finding = finding(
                    base, base * exp(change.mean), interval, moreIsBetter: value.moreIsBetter)
            }
        }
        figures.append(figure)
    }

    /// Adds a doubt if the generator was the bottleneck in most of a server's load tests, and a
    /// note if it was the bottleneck in fewer of them, which only adds to their variation.
    private mutating func addGroupDoubts(_ group: LoadGroup) {
        let limited = group.loads.filter { !$0.generator.limits.isEmpty }
        guard let reason = limited.first?.generator.limits.first else { return }
        let text =
            "\(group.name): in \(limited.count) of \(group.loads.count) load tests: \(reason)"
        if limited.count * 2 > group.loads.count { doubts.append(text) } else { notes.append(text) }
    }

    /// Adds notes on how changes are computed, and on the smallest ones that the load tests could
    /// have detected.
    private mutating func notePrecision(
        _ values: [GroupFigure], isPaired: Bool, _ levels: ConfidenceLevels
    ) {
        typealias Change = (share: Double, name: String)
        func changes(_ isIncluded: (GroupFigure) -> Bool) -> [Change] {
            values.filter { $0.isJudged && isIncluded($0) }.compactMap { value in
                value.change(isPaired: isPaired, confidence: levels.level(value)).map { change in
                    (exp(change.half) - 1, "\(value.group) \(value.name)")
                }
            }
        }
        let order = [LatencyMetric.say, .relay, .probe, .iteration, .login].map(\.name)
        let latencies = order.lazy.map { metric in changes { $0.group == metric } }
            .first { !$0.isEmpty }
        let all = (latencies ?? []) + changes(\.isCost)
        if all.isEmpty { return }
        detectableChange = all.map(\.share).max()
        notes.append(
            isPaired
                ? "values are medians; changes are averages of the changes within pairs"
                : "values are medians; changes are averages")
        let texts = all.map { "\(Int(($0.share * 100).rounded(.up)))% in \($0.name)" }
        notes.append(
            "smallest change that these load tests can detect: \(texts.joined(separator: ", "))")
    }
}

/// The confidence levels of the figures' intervals that together give a joint level (Bonferroni).
private struct ConfidenceLevels {
    /// The level of the server's CPU time per message.
    private let ofCost: Double
    private let ofOthers: Double

    init(_ figures: [GroupFigure], _ joint: Double) {
        let judged = figures.filter(\.isJudged)
        let others = judged.count { !$0.isCost }
        let half = Comparison.joint(joint, 2)
        ofCost = others == 0 ? joint : half
        ofOthers = Comparison.joint(others == judged.count ? joint : half, others)
    }

    func level(_ figure: GroupFigure) -> Double { figure.isCost ? ofCost : ofOthers }
}

/// A figure with its values in two groups of load tests.
private struct GroupFigure {
    var group: String
    var name: String
    var unit: Comparison.Unit
    /// The figure's value in each load test; nil if it is unknown.
    var values: ([Double?], [Double?])
    var moreIsBetter = false
    var isJudged = true
    /// True for the server's CPU time per message.
    var isCost = false

    /// Returns the known values: if the load tests are paired, those that are known in both load
    /// tests of a pair.
    func known(isPaired: Bool) -> ([Double], [Double]) {
        guard isPaired else { return (values.0.compactMap(\.self), values.1.compactMap(\.self)) }
        let pairs = zip(values.0, values.1).compactMap { one, other in
            if let one, let other { (one, other) } else { nil }
        }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    /// Returns the average difference between the logarithms of the values, and half the width of
    /// its interval; nil if there are too few values.
    func change(isPaired: Bool, confidence: Double) -> (mean: Double, half: Double)? {
        let known = known(isPaired: isPaired)
        let logs = (known.0.map { log(max($0, 1e-9)) }, known.1.map { log(max($0, 1e-9)) })
        let (one, other) = (Double(logs.0.count), Double(logs.1.count))
        guard one + other > 2, one > 0, other > 0 else { return nil }
        if isPaired {
            let differences = zip(logs.0, logs.1).map { $1 - $0 }
            let mean = Self.mean(differences)
            let variance = Self.squares(differences) / (one - 1)
            let t = StudentT.quantile(confidence: confidence, freedom: logs.0.count - 1)
            return (mean, t * Self.deviation(variance) / one.squareRoot())
        }
        let freedom = logs.0.count + logs.1.count - 2
        let variance = (Self.squares(logs.0) + Self.squares(logs.1)) / Double(freedom)
        let t = StudentT.quantile(confidence: confidence, freedom: freedom)
        return (
            Self.mean(logs.1) - Self.mean(logs.0),
            t * Self.deviation(variance) * (1 / one + 1 / other).squareRoot()
        )
    }

    /// Returns the standard deviation, or ``LoadVariation/deviationMin`` if it is smaller. Values
    /// that are equal by chance, such as latencies in the same histogram bucket, must not make a
    /// difference seem certain.
    private static func deviation(_ variance: Double) -> Double {
        max(variance.squareRoot(), LoadVariation.deviationMin)
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(values.count, 1))
    }

    private static func squares(_ values: [Double]) -> Double {
        let mean = mean(values)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
}

extension GroupFigure {
    /// Returns all figures that every load test of both groups has, in order.
    static func all(_ groups: ([LoadResults], [LoadResults])) throws -> [GroupFigure] {
        var all: [GroupFigure] = []
        for measure in LatencyMetric.allCases { all += try latencies(measure, groups) }
        func add(
            _ group: String, _ name: String, _ unit: Comparison.Unit, moreIsBetter: Bool = false,
            isJudged: Bool = true, isCost: Bool = false, _ value: (LoadResults) -> Double?
        ) {
            let values = (groups.0.map(value), groups.1.map(value))
            // A figure that most load tests lack would say little about them.
            let isKnown = [values.0, values.1].allSatisfy { $0.count { $0 != nil } * 2 > $0.count }
            guard isKnown else { return }
            all.append(
                GroupFigure(
                    group: group, name: name, unit: unit, values: values,
                    moreIsBetter: moreIsBetter, isJudged: isJudged, isCost: isCost))
        }
        let rates = Set((groups.0 + groups.1).map(\.requested.ratePerSecond))
        add(
            "traffic", "sent per second", .perSecond, moreIsBetter: true,
            isJudged: rates.count == 1
        ) { $0.traffic.rate }
        add("traffic", "generator CPU use", .percent, isJudged: false) {
            $0.generator.processorShare * 100
        }
        add("machine", "CPU used by others", .percent, isJudged: false) {
            $0.machine?.otherShare.map { $0 * 100 }
        }
        add("server", "CPU per message", .nanoseconds, isCost: true) { $0.serverTimePerMessage }
        add("server", "memory", .bytes) { $0.serverMemory.map { Double($0) } }
        return all
    }

    private static func latencies(
        _ measure: LatencyMetric, _ groups: ([LoadResults], [LoadResults])
    ) throws -> [GroupFigure] {
        let sides = try [groups.0, groups.1].map { loads in
            try loads.compactMap { load in
                try load.response(measure).map { (load, try $0.decoded()) }
            }
        }
        guard sides[0].count == groups.0.count, sides[1].count == groups.1.count else { return [] }
        // Deliveries of the same message are not independent, so each message counts once.
        let samples = sides.map { side in
            side.reduce(0.0) { $0 + Double($1.1.count) / $1.0.copies(measure) }
        }
        let derived = Comparison.derived.contains(measure)
        return Comparison.groupQuantiles.map { name, share in
            let isKnown = (samples.min() ?? 0) * (1 - share) >= Comparison.beyondMin
            return GroupFigure(
                group: measure.name, name: name, unit: .nanoseconds,
                values: (
                    sides[0].map { Double($0.1.percentile(share * 100)) },
                    sides[1].map { Double($0.1.percentile(share * 100)) }
                ), isJudged: isKnown && !derived)
        }
    }
}
