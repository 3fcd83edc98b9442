/// Numbers that look random and are always the same for a seed (SplitMix64).
package struct SeededSequence: Sendable {
    private var state: UInt64

    /// A sequence of its own for each `stream` of one seed.
    package init(seed: UInt64, stream: UInt64 = 0) {
        state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// The next number from 0 up to, not including, 1.
    package mutating func nextFraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A number drawn from an exponential distribution with mean 1.
    package mutating func nextExponential() -> Double {
        -logarithm(1 - nextFraction())
    }

    /// A number in which every bit depends on every bit of `value`.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
