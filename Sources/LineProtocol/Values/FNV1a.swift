/// The 64-bit FNV-1a hash. Its values are the same on every machine and in every version, so they
/// can be stored and shared.
package enum FNV1a {
    package static let basis: UInt64 = 0xCBF2_9CE4_8422_2325
    package static let prime: UInt64 = 0x100_0000_01B3

    package static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* prime }
    }
}
