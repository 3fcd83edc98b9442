import Glibc

extension Comparison {
    /// Adds the counts of violations and of failed operators.
    mutating func addDelivery(_ first: [LoadResults], _ second: [LoadResults]) {
        for kind in Violation.Kind.allCases {
            let counts = [first, second].map { loads in
                loads.reduce(0) { $0 + Double($1.violations(kind)) }
            }
            guard counts.contains(where: { $0 > 0 }) else { continue }
            addCount("delivery", kind.rawValue, counts, loads: (first.count, second.count))
        }
        addCount(
            "operators", "failed",
            [first, second].map { loads in loads.reduce(0) { $0 + Double($1.operators.failed) } },
            loads: (first.count, second.count))
    }

    /// Adds a count. An increase from 0 is always worse, and a decrease to 0 always better. When
    /// several load tests are compared, any other change must be larger than chance explains.
    package mutating func addCount(
        _ group: String, _ name: String, _ counts: [Double], loads: (Int, Int) = (1, 1)
    ) {
        var finding: Finding = .same
        let isRepeated = loads.0 > 1 || loads.1 > 1
        let share = Double(loads.1) / Double(max(loads.0 + loads.1, 1))
        let rates = (
            counts[0] / Double(max(loads.0, 1)), counts[1] / Double(max(loads.1, 1))
        )
        if rates.1 > rates.0 {
            let isCertain =
                !isRepeated || counts[0] == 0
                || Self.chance(atLeast: counts[1], of: counts[0] + counts[1], share)
                    < 1 - confidence
            finding = isCertain ? .worse : .unsure
        } else if rates.1 < rates.0 {
            let isCertain =
                !isRepeated || counts[1] == 0
                || Self.chance(atLeast: counts[0], of: counts[0] + counts[1], 1 - share)
                    < 1 - confidence
            finding = isCertain ? .better : .unsure
        }
        figures.append(
            Figure(group: group, name: name, unit: .count, values: counts, finding: finding))
    }

    /// Returns the probability that at least `count` of `total` events fall on a side that has the
    /// given share of the load tests. For many events, the normal approximation is used.
    private static func chance(atLeast count: Double, of total: Double, _ share: Double) -> Double {
        guard total <= 1_000 else {
            let deviation = (total * share * (1 - share)).squareRoot()
            return erfc((count - 0.5 - total * share) / deviation / 2.0.squareRoot()) / 2
        }
        var sum = 0.0
        // The logarithm of the probability of exactly `number` events.
        var chance = total * log(1 - share)
        for number in 0...Int(total) {
            if Double(number) >= count { sum += exp(chance) }
            chance +=
                log(max(total - Double(number), 1e-300)) - log(Double(number) + 1) + log(share)
                - log(1 - share)
        }
        return sum
    }
}
