/// From a time on, so many times the rate there was.
package struct RateChange: Sendable, Hashable, Codable {
    /// In nanoseconds from the start.
    package var time: Int64
    package var factor: Double

    package init(time: Int64, factor: Double) {
        self.time = time
        self.factor = factor
    }
}

/// A stretch of time in which the rate of arrivals is constant or goes in a straight line from one value to
/// another.
package struct RateStage: Sendable, Hashable {
    /// How long it is, in nanoseconds.
    package var duration: Int64
    /// Arrivals a second in its beginning.
    package var startRate: Double
    /// Arrivals a second at its end.
    package var endRate: Double

    /// A stage from its parts.
    package init(duration: Int64, startRate: Double, endRate: Double) {
        self.duration = duration
        self.startRate = startRate
        self.endRate = endRate
    }

    /// A stage of one rate.
    package init(duration: Int64, rate: Double) {
        self.init(duration: duration, startRate: rate, endRate: rate)
    }

    /// The same, with so many times the arrivals.
    package func scaled(by factor: Double) -> RateStage {
        RateStage(
            duration: duration, startRate: startRate * factor, endRate: endRate * factor)
    }

    /// How many arrivals there are in all of it; not a whole number.
    package var arrivals: Double { (startRate + endRate) / 2 * seconds }

    /// Of stages one after another, what lies before a time, and what lies after it.
    package static func cut(
        _ stages: [RateStage], at time: Int64
    ) -> (before: [RateStage], after: [RateStage]) {
        var (before, after): ([RateStage], [RateStage]) = ([], [])
        var begin: Int64 = 0
        for stage in stages {
            let end = begin + stage.duration
            defer { begin = end }
            if end <= time {
                before.append(stage)
            } else if begin >= time {
                after.append(stage)
            } else {
                let part = time - begin
                let rate =
                    stage.startRate + (stage.endRate - stage.startRate) * Double(part)
                    / Double(stage.duration)
                before.append(RateStage(duration: part, startRate: stage.startRate, endRate: rate))
                after.append(
                    RateStage(
                        duration: stage.duration - part, startRate: rate, endRate: stage.endRate))
            }
        }
        return (before, after)
    }

    /// Stages as they are with changes of the rate while they go on.
    package static func changing(_ stages: [RateStage], _ changes: [RateChange]) -> [RateStage] {
        changes.reduce(stages) { stages, change in
            let (before, after) = cut(stages, at: max(change.time, 0))
            return before + after.map { $0.scaled(by: change.factor) }
        }
    }

    private var seconds: Double { Double(duration) / 1e9 }

    /// The nanosecond at which so many arrivals have been.
    func time(of arrivals: Double) -> Int64 {
        if startRate == endRate { return Int64(arrivals * 1e9 / startRate) }
        // arrivals = start × t + slope / 2 × t²
        let slope = (endRate - startRate) / seconds
        let root = (startRate * startRate + 2 * slope * arrivals).squareRoot()
        return Int64((root - startRate) / slope * 1e9)
    }
}
