/// Random numbers that come out the same for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A word of lower-case letters and digits that starts with a letter, so that most protocols take it
    /// as a name.
    mutating func word(count: Int = 10) -> [UInt8] {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        return (0..<count).map { place in
            letters[Int(next() % UInt64(place == 0 ? 24 : letters.count))]
        }
    }
}
