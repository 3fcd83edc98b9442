/// The bytes with which spellings of a set of secrets can begin.
///
/// A search skips all other positions of a text, each with a look-up in a table.
struct SecretStarts: Sendable {
    /// The byte can be the first of a secret.
    private static let first: UInt8 = 1
    /// The byte can start an encoded character.
    private static let special: UInt8 = 2
    /// The byte can follow the first byte of a secret.
    private static let second: UInt8 = 4
    /// A secret at the start of a text can begin with the byte, because its first part may be
    /// missing.
    private static let tail: UInt8 = 8
    /// The byte can follow the first byte of such a part.
    private static let tailSecond: UInt8 = 16

    /// What each byte can be.
    private var roles: [UInt8]

    init() {
        roles = (0...UInt8.max).map { byte in
            if EscapeReader.isSpecial(byte) {
                return Self.special | Self.second | Self.tailSecond
            }
            // Invisible characters and line breaks may come between the bytes of a secret.
            return ASCIIText.isInvisible(byte) || ASCIIText.isLineEnd(byte)
                || InvisibleText.canStart(byte)
                ? Self.second | Self.tailSecond : 0
        }
    }

    mutating func add(_ secret: SecretSpelling) {
        add(Self.first, secret.bytes(at: 0))
        let isAny = secret.secret.count < 2 || secret.isLooseAtStart
        let seconds = isAny ? [] : secret.bytes(at: 1)
        add(Self.second, seconds.isEmpty ? Array(0...UInt8.max) : seconds)
        for letter in secret.tails {
            add(Self.tail, secret.bytes(at: letter))
            add(Self.tailSecond, secret.bytes(at: letter + 1))
        }
    }

    private mutating func add(_ role: UInt8, _ bytes: [UInt8]) {
        for byte in bytes { roles[Int(byte)] |= role }
    }

    /// Returns the offset of the next position where a secret may begin; the length of the text if
    /// there is none.
    @inline(__always)
    func next(in bytes: [UInt8], from start: Int) -> Int {
        if start == 0, canBegin(in: bytes, at: 0, Self.tail, Self.tailSecond) { return 0 }
        var offset = start
        while offset < bytes.count, !canBegin(in: bytes, at: offset, Self.first, Self.second) {
            offset += 1
        }
        return offset
    }

    /// Returns true if the byte at the offset has the role or can start an encoded character, and
    /// the byte after it has the role `next`.
    @inline(__always)
    private func canBegin(in bytes: [UInt8], at offset: Int, _ role: UInt8, _ next: UInt8) -> Bool {
        guard offset < bytes.count else { return false }
        let found = roles[Int(bytes[offset])]
        guard found & (role | Self.special) != 0 else { return false }
        return found & Self.special != 0 || offset + 1 == bytes.count
            || roles[Int(bytes[offset + 1])] & next != 0
    }

    /// Returns true if any of the characters can be the first of a secret.
    func canBegin(with characters: SpelledCharacters) -> Bool {
        for index in 0..<characters.count {
            let character = characters[index]
            // Scalars outside ASCII are rare in this position.
            guard let byte = character.byte else { return true }
            if roles[Int(byte)] & Self.first != 0 { return true }
        }
        return false
    }
}
