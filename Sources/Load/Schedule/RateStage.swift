/// A period with a constant or linearly changing arrival rate.
package struct RateStage: Sendable, Hashable {
    /// Length in nanoseconds.
    package var duration: Int64
    /// Arrivals per second at the start of the stage.
    package var startRate: Double
    /// Arrivals per second at the end of the stage.
    package var endRate: Double
    /// Name of the plan's stage that starts here; nil if that stage has no name, or if it started
    /// earlier.
    package var name: String?

    package init(duration: Int64, startRate: Double, endRate: Double, name: String? = nil) {
        self.duration = duration
        self.startRate = startRate
        self.endRate = endRate
        self.name = name
    }

    /// Creates a stage with a constant rate.
    package init(duration: Int64, rate: Double) {
        self.init(duration: duration, startRate: rate, endRate: rate)
    }

    /// Returns the stage with its rates multiplied by `factor`.
    package func scaled(by factor: Double) -> RateStage {
        RateStage(
            duration: duration, startRate: startRate * factor, endRate: endRate * factor,
            name: name)
    }

    /// Expected number of arrivals, possibly fractional.
    package var arrivals: Double { (startRate + endRate) / 2 * seconds }

    /// Splits consecutive stages at a given time.
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
                before.append(
                    RateStage(
                        duration: part, startRate: stage.startRate, endRate: rate,
                        name: stage.name))
                after.append(
                    RateStage(
                        duration: stage.duration - part, startRate: rate, endRate: stage.endRate))
            }
        }
        return (before, after)
    }

    /// Applies rate changes to consecutive stages.
    package static func changing(_ stages: [RateStage], _ changes: [RateChange]) -> [RateStage] {
        var parts: [RateStage] = []
        var rest = stages
        var begin: Int64 = 0
        var rate = RateFactor()
        for change in changes {
            let time = max(change.time, begin)
            let (before, after) = cut(rest, at: time - begin)
            parts += before.map { $0.scaled(by: rate.multiplier) }
            (rest, begin) = (after, time)
            rate.apply(change)
        }
        return parts + rest.map { $0.scaled(by: rate.multiplier) }
    }

    private var seconds: Double { Double(duration) / 1e9 }

    /// Returns the time at which `arrivals` arrivals have occurred, in nanoseconds from the start
    /// of the stage.
    func time(of arrivals: Double) -> Int64 {
        if startRate == endRate { return Int64(arrivals * 1e9 / startRate) }
        // arrivals = start × t + slope / 2 × t²
        let slope = (endRate - startRate) / seconds
        // Just before the end of a ramp to 0, rounding could make the square negative.
        let root = max(startRate * startRate + 2 * slope * arrivals, 0).squareRoot()
        return Int64((root - startRate) / slope * 1e9)
    }
}
