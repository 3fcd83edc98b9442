package import LineProtocol

extension SeededRandom {
    /// A number drawn from an exponential distribution with mean 1.
    package mutating func nextExponential() -> Double {
        -logarithm(1 - nextFraction())
    }
}
