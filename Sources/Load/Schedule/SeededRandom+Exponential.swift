package import LineProtocol

extension SeededRandom {
    /// Draws from an exponential distribution with mean 1.
    package mutating func nextExponential() -> Double {
        -logarithm(1 - nextFraction())
    }
}
