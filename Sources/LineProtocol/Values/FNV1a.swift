/// A hash that is the same on every machine and in every version, for what is kept, named or agreed on
/// by it (FNV-1a, 64 bits, by Fowler, Noll and Vo).
package enum FNV1a {
    package static let basis: UInt64 = 0xCBF2_9CE4_8422_2325
    package static let prime: UInt64 = 0x100_0000_01B3

    /// The hash of a text's UTF-8.
    package static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* prime }
    }
}
