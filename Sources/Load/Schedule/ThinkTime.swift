package import LineProtocol

/// How long an operator of the closed model thinks before it says something again.
package enum ThinkTime: Sendable, Hashable {
    /// Always so long, in nanoseconds.
    case constant(Int64)
    /// Anything between these, each as likely.
    case uniform(least: Int64, most: Int64)
    /// As long as chance has it, with this mean.
    case exponential(mean: Int64)

    /// The longest time that chance can give, in means.
    package static let meansMax = 20.0

    /// The next one.
    package func draw(_ random: inout SeededRandom) -> Int64 {
        switch self {
        case .constant(let time): time
        case .uniform(let least, let most):
            least + Int64(random.nextFraction() * Double(max(most - least, 0)))
        case .exponential(let mean):
            Int64(min(random.nextExponential(), Self.meansMax) * Double(mean))
        }
    }
}
