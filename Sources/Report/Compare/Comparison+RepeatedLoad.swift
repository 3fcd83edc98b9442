import Diagnostics
package import Results

extension Comparison {
    /// Largest acceptable change of a metric if none is given, as a fraction.
    package static let toleranceDefault = 0.05
    /// Confidence level of intervals if none is given, from 0 to 1.
    package static let confidenceDefault = 0.95
}

extension RepeatedLoad {
    /// The load tests of each server, with names for display.
    package var groups: [LoadGroup] {
        sides.map { LoadGroup(name: escapedForDisplay($0.name), loads: $0.loads) }
    }

    /// Compares the two servers; nil if there is only one, or if there are no complete load tests
    /// of both.
    package func comparison(
        tolerance: Double = Comparison.toleranceDefault,
        confidence: Double = Comparison.confidenceDefault
    ) throws -> Comparison? {
        guard groups.count == 2, groups.allSatisfy({ !$0.loads.isEmpty }) else { return nil }
        return try Comparison.of(
            groups[0], groups[1], isPaired: true, tolerance: tolerance, confidence: confidence)
    }
}
