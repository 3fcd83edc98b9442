import Diagnostics
import Glibc

/// A mapping from values to positions on an axis.
struct Scale {
    /// Values marked on the axis, with their labels.
    var ticks: [(value: Double, label: String)]
    private let range: ClosedRange<Double>
    private let positions: (start: Double, end: Double)
    private let isLogarithmic: Bool

    /// Returns the position of a value, clamped to the ends of the axis.
    func position(_ value: Double) -> Double {
        let (low, high) = (Self.transformed(range.lowerBound, isLogarithmic), top)
        guard high > low else { return positions.start }
        let share = (Self.transformed(value, isLogarithmic) - low) / (high - low)
        return positions.start + min(max(share, 0), 1) * (positions.end - positions.start)
    }

    /// The largest value on the axis.
    var end: Double { range.upperBound }

    private var top: Double { Self.transformed(range.upperBound, isLogarithmic) }

    private static func transformed(_ value: Double, _ isLogarithmic: Bool) -> Double {
        isLogarithmic ? log10(max(value, 1e-9)) : value
    }

    /// Returns a logarithmic scale of times in nanoseconds, spanning at least one decade.
    static func times(_ minimum: Double, _ maximum: Double, from start: Double, to end: Double)
        -> Scale
    {
        let low = min(max(floor(log10(max(minimum, 1_000))), 3), 12)
        let high = min(max(ceil(log10(max(maximum, 1_000))), low + 1), 13)
        let decades = stride(from: low, through: high, by: 1).map { pow(10, $0) }
        return Scale(
            ticks: decades.map { ($0, timeText($0)) }, range: decades[0]...pow(10, high),
            positions: (start, end), isLogarithmic: true)
    }

    /// Returns a linear scale of integers from 0 to a round number above `maximum`.
    static func counts(
        _ maximum: Double, from start: Double, to end: Double, label: (Double) -> String
    ) -> Scale {
        let step = max(roundStep(max(maximum, 1) / 4), 1)
        // Leave some space at the top, because a line along the edge would be hard to see.
        let last = max(ceil(max(maximum, 1) * 1.02 / step), 1) * step
        let values = stride(from: 0, through: last + step / 2, by: step)
        return Scale(
            ticks: values.map { ($0, label($0)) }, range: 0...last, positions: (start, end),
            isLogarithmic: false)
    }

    /// Returns a linear scale of seconds from 0 to exactly `maximum`.
    static func seconds(_ maximum: Double, from start: Double, to end: Double) -> Scale {
        let maximum = max(maximum, 0.001)
        let step = roundStep(maximum / 8)
        let values = stride(from: 0, through: maximum, by: step)
        return Scale(
            ticks: values.map { ($0, secondsText($0)) }, range: 0...maximum,
            positions: (start, end),
            isLogarithmic: false)
    }

    /// Returns a percentile scale on which each additional nine takes up the same width: 90%, 99%,
    /// 99.9%.
    static func nines(_ nines: Int, from start: Double, to end: Double) -> Scale {
        let words = ["0%", "90%", "99%", "99.9%", "99.99%", "99.999%", "99.9999%"]
        var ticks = words.prefix(nines + 1).enumerated().map { (Double($0), $1) }
        ticks.insert((log10(2), "50%"), at: 1)
        return Scale(
            ticks: ticks, range: 0...Double(max(nines, 1)), positions: (start, end),
            isLogarithmic: false)
    }

    /// Returns the smallest number that is not less than the value and is 1, 2 or 5 times a power
    /// of ten.
    private static func roundStep(_ value: Double) -> Double {
        let power = pow(10, floor(log10(value)))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value * 0.999 } ?? value
    }

    private static func timeText(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e6: "\(Int(nanoseconds / 1e3)) µs"
        case ..<1e9: "\(Int(nanoseconds / 1e6)) ms"
        default: "\(Int(nanoseconds / 1e9)) s"
        }
    }

    private static func secondsText(_ seconds: Double) -> String {
        if seconds == seconds.rounded() { return "\(Int(seconds)) s" }
        return seconds < 1
            ? "\(Int((seconds * 1000).rounded())) ms"
            : decimal(Int64((seconds * 10).rounded()), per: 10, digits: 1) + " s"
    }
}
