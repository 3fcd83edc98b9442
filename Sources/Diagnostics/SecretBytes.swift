/// A set of bytes that occur in a secret, or that continue it.
struct SecretBytes: Sendable {
    /// A bit for each byte.
    private var words = InlineArray<4, UInt64>(repeating: 0)

    @inline(__always)
    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    /// Inserts a byte of a secret, and the same letter in the other case unless case matters.
    mutating func insert(_ byte: UInt8, isFolded: Bool) {
        insert(byte)
        if isFolded, ASCIIText.isLetter(byte) { insert(byte ^ 0x20) }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    /// Returns true if a byte is in both sets.
    @inline(__always)
    func intersects(_ other: SecretBytes) -> Bool {
        words[0] & other.words[0] | words[1] & other.words[1] | words[2] & other.words[2]
            | words[3] & other.words[3] != 0
    }
}
