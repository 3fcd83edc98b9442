/// A random number generator whose results are the same on every machine and in every version
/// (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Creates a generator for a named part of a run. Different parts get different random numbers
    /// from the same seed.
    package init(seed: UInt64, part: String) {
        state = seed ^ FNV1a.hash(part)
    }

    /// Creates the generator for one stream of random numbers. Streams with the same seed are
    /// independent.
    package init(seed: UInt64, stream: UInt64) {
        state = seed &+ stream &* 0xD1B5_4A32_D192_ED03
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns a number in `0..<bound`, or 0 if `bound` is not positive.
    package mutating func next(below bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    /// Returns a number in `0..<1`.
    package mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Mixes a number so that every bit of the result depends on every bit of `value`.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
