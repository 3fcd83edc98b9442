package import LineProtocol

/// The pause between two messages from an operator in the closed model.
package enum ThinkTime: Sendable, Hashable {
    /// The same pause every time, in nanoseconds.
    case constant(Int64)
    /// Uniformly distributed, in nanoseconds.
    case uniform(minimum: Int64, maximum: Int64)
    /// Exponentially distributed, with a mean in nanoseconds.
    case exponential(mean: Int64)

    /// Upper limit for an exponential draw, as a multiple of the mean.
    package static let meansMax = 20.0

    /// Draws a pause, in nanoseconds.
    package func draw(_ random: inout SeededRandom) -> Int64 {
        switch self {
        case .constant(let time): time
        case .uniform(let minimum, let maximum):
            minimum + Int64(random.nextFraction() * Double(max(maximum - minimum, 0)))
        case .exponential(let mean):
            Int64(min(random.nextExponential(), Self.meansMax) * Double(mean))
        }
    }
}
