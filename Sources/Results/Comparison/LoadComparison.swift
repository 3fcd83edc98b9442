extension Comparison {
    static let quantiles: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
    ]
    /// Minimum number of samples above a quantile for the quantile to be compared.
    static let beyondMin = 10.0

    /// Compares two load tests.
    ///
    /// The confidence intervals of latency quantiles come from a block bootstrap if both load tests
    /// are long enough, and otherwise from the order statistics of the histograms. They are widened
    /// by the estimated variation between load tests.
    ///
    /// - Parameter draws: Number of resamples in the bootstrap.
    package static func of(
        _ first: LoadResults, _ second: LoadResults, names: (String, String),
        tolerance: Double, confidence: Double, draws: Int = BlockBootstrap.draws
    ) throws -> Comparison {
        var comparison = Comparison(
            names: names, abouts: (about(first), about(second)), tolerance: tolerance,
            confidence: confidence)
        comparison.notes = differences(first, second)
        if min(first.seconds.count, second.seconds.count) < BlockBootstrap.blocksMin {
            comparison.notes.append(
                "one of the load tests is shorter than \(BlockBootstrap.blocksMin) s: latencies are treated as independent"
            )
        }
        for (results, name) in [(first, names.0), (second, names.1)] {
            comparison.doubts += results.generator.limits.map { "\(name): \($0)" }
        }
        let noise = try PairedNoise(first, second)
        var judged: [JudgedFigure] = []
        for metric in LatencyMetric.allCases {
            guard let one = first.response(metric), let other = second.response(metric) else {
                continue
            }
            let copies = [first, second].map { $0.copies(metric) }.max() ?? 1
            try comparison.add(
                metric, copies, (one, try histograms(first, metric)),
                (other, try histograms(second, metric)), noise, &judged, draws: draws)
        }
        comparison.addRates(first, second, noise, &judged)
        comparison.addServer(first, second, noise, &judged)
        comparison.judge(judged, noise, (first, second))
        comparison.addDelivery([first], [second])
        return comparison
    }

    static func about(_ results: LoadResults) -> String {
        "load test, \(results.dialect), \(results.requested.operators) operators, \(results.verdict.rawValue)"
    }

    static func differences(_ first: LoadResults, _ second: LoadResults) -> [String] {
        let (one, other) = (first.requested, second.requested)
        func shown(_ rate: Double?) -> String { rate.map { String($0) } ?? "none" }
        let pairs: [(String, String, String)] = [
            ("dialect", first.dialect, second.dialect), ("model", one.model, other.model),
            ("operators", "\(one.operators)", "\(other.operators)"),
            ("rooms", "\(one.rooms)", "\(other.rooms)"),
            ("rate", shown(one.ratePerSecond), shown(other.ratePerSecond)),
            ("message size", "\(one.textBytes)", "\(other.textBytes)"),
            ("mix", mix(one), mix(other)),
        ]
        return pairs.filter { $0.1 != $0.2 }.map {
            "the load tests differ in \($0.0): \($0.1) and \($0.2)"
        }
    }

    private static func mix(_ requested: RequestedLoad) -> String {
        requested.mix.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(
            separator: ",")
    }

    private static func histograms(
        _ results: LoadResults, _ metric: LatencyMetric
    ) throws -> [LatencyHistogram] {
        try results.seconds.compactMap { try $0.latencies[metric.name]?.decoded() }
    }

    // MARK: Latency

    private typealias Side = (all: LatencyDistribution, seconds: [LatencyHistogram])

    private mutating func add(
        _ metric: LatencyMetric, _ copies: Double, _ first: Side, _ second: Side,
        _ noise: PairedNoise,
        _ judged: inout [JudgedFigure], draws count: Int
    ) throws {
        let sides = (
            SampleDistribution(try first.all.decoded().values),
            SampleDistribution(try second.all.decoded().values)
        )
        let shares = Self.quantiles.map(\.share)
        var draws: ([[Double]], [[Double]])?
        if let one = BlockBootstrap(first.seconds), let other = BlockBootstrap(second.seconds) {
            draws = (
                one.draws(count, shares, seed: 1), other.draws(count, shares, seed: 2)
            )
        }
        for (index, (name, share)) in Self.quantiles.enumerated() {
            let values = (sides.0.quantile(share), sides.1.quantile(share))
            let figure = Figure(
                group: metric.name, name: name, unit: .nanoseconds, values: [values.0, values.1],
                finding: .shown)
            let beyond = Double(min(sides.0.count, sides.1.count)) / copies * (1 - share)
            guard beyond >= Self.beyondMin else {
                figures.append(figure)
                continue
            }
            let interval =
                draws.map { drawnInterval($0, index) }
                ?? orderInterval(sides, share, values, copies)
            append(
                figure, interval, noise.variations.0.variation(metric, share),
                noise.variations.1.variation(metric, share), &judged)
        }
        append(
            Figure(
                group: metric.name, name: "mean", unit: .nanoseconds,
                values: [first.all.mean, second.all.mean]),
            draws.map { drawnInterval($0, shares.count) }
                ?? meanInterval(first.all, second.all, copies),
            noise.variations.0.variationOfMean(metric),
            noise.variations.1.variationOfMean(metric), &judged)
        figures.append(
            Figure(
                group: metric.name, name: "max", unit: .nanoseconds,
                values: [Double(first.all.max), Double(second.all.max)], finding: .shown))
    }

    /// Adds a figure that is judged once all figures are known.
    private mutating func append(
        _ figure: Figure, _ interval: Interval, moreIsBetter: Bool = false,
        _ first: LoadVariation.Variation?, _ second: LoadVariation.Variation?,
        _ judged: inout [JudgedFigure]
    ) {
        judged.append(
            JudgedFigure(
                index: figures.count, within: interval, variations: [first, second],
                moreIsBetter: moreIsBetter))
        figures.append(figure)
    }

    private func drawnInterval(_ draws: ([[Double]], [[Double]]), _ index: Int) -> Interval {
        BlockBootstrap.interval(
            from: draws.0.map { $0[index] }, to: draws.1.map { $0[index] }, confidence: confidence)
    }

    private func orderInterval(
        _ sides: (SampleDistribution, SampleDistribution), _ share: Double,
        _ values: (Double, Double), _ copies: Double
    ) -> Interval {
        // Deliveries of the same message are not independent, so each message counts as a single
        // sample.
        let width = deviations(confidence: confidence) * copies.squareRoot()
        return .difference(
            from: (values.0, sides.0.interval(share, deviations: width)),
            to: (values.1, sides.1.interval(share, deviations: width)))
    }

    private func meanInterval(
        _ first: LatencyDistribution, _ second: LatencyDistribution, _ copies: Double
    ) -> Interval {
        func variance(_ one: LatencyDistribution) -> Double {
            one.deviation * one.deviation / Double(max(one.count, 1))
        }
        let half =
            deviations(confidence: confidence)
            * ((variance(first) + variance(second)) * copies).squareRoot()
        let difference = second.mean - first.mean
        return Interval(low: difference - half, high: difference + half)
    }

    // MARK: Rates

    /// Adds the send rates: the requested rate in the open model, the achieved rate in the closed
    /// model.
    private mutating func addRates(
        _ first: LoadResults, _ second: LoadResults, _ noise: PairedNoise,
        _ judged: inout [JudgedFigure]
    ) {
        let rates = (first.traffic.rate, second.traffic.rate)
        let half =
            deviations(confidence: confidence)
            * (variance(first) + variance(second)).squareRoot()
        let difference = rates.1 - rates.0
        let interval = Interval(low: difference - half, high: difference + half)
        var figure = Figure(
            group: "traffic", name: "sent per second", unit: .perSecond,
            values: [rates.0, rates.1], interval: interval, finding: .shown)
        // If different rates were requested, their difference is not a finding.
        if first.requested.ratePerSecond == second.requested.ratePerSecond {
            figure.interval = nil
            append(
                figure, interval, moreIsBetter: true, noise.variations.0.rate,
                noise.variations.1.rate, &judged)
        } else {
            figures.append(figure)
        }
        figures.append(
            Figure(
                group: "traffic", name: "generator CPU use", unit: .percent,
                values: [first, second].map { $0.generator.processorShare * 100 },
                finding: .shown))
        let others = [first, second].map { $0.machine?.otherShare.map { $0 * 100 } ?? nil }
        if others.contains(where: { $0 != nil }) {
            figures.append(
                Figure(
                    group: "machine", name: "CPU used by others", unit: .percent, values: others,
                    finding: .shown))
        }
    }

    /// Adds the server's CPU time per message and its memory use, if both servers were observed.
    private mutating func addServer(
        _ first: LoadResults, _ second: LoadResults, _ noise: PairedNoise,
        _ judged: inout [JudgedFigure]
    ) {
        if let one = first.serverTimePerMessage, let other = second.serverTimePerMessage {
            append(
                Figure(
                    group: "server", name: "CPU per message", unit: .nanoseconds,
                    values: [one, other]),
                Interval(low: other - one, high: other - one), noise.variations.0.cores,
                noise.variations.1.cores, &judged)
        }
        if let one = first.serverMemory, let other = second.serverMemory {
            figures.append(
                Figure(
                    group: "server", name: "memory", unit: .bytes,
                    values: [Double(one), Double(other)], finding: .shown))
        }
    }

    /// Returns the variance of the mean of the per-second rates. A partial last second is ignored.
    private func variance(_ results: LoadResults) -> Double {
        let rates = results.seconds.filter {
            Int64($0.second + 1) * 1_000_000_000 <= results.traffic.measuredNanoseconds
        }.map { Double($0.sent) }
        guard rates.count > 1 else {
            // There are too few seconds, so sends are assumed to be independent.
            let time = max(Double(results.traffic.measuredNanoseconds) / 1e9, 1)
            return results.traffic.rate / time
        }
        let mean = rates.reduce(0, +) / Double(rates.count)
        let squares = rates.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return squares / Double(rates.count - 1) / Double(rates.count)
    }
}

extension LoadResults {
    /// Returns the average number of latency samples per message.
    func copies(_ metric: LatencyMetric) -> Double {
        guard metric == .say, let all = response(.say), let texts = response(.sayFirst) else {
            return 1
        }
        return max(1, Double(all.count) / Double(texts.count))
    }
}
