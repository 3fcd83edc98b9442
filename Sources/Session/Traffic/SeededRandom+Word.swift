import LineProtocol

extension SeededRandom {
    /// Returns a random word of lower-case letters and digits. The first character is a letter, so
    /// that most protocols accept the word as a name.
    mutating func word(count: Int = 10) -> [UInt8] {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        return (0..<count).map { index in
            letters[Int(next() % UInt64(index == 0 ? 24 : letters.count))]
        }
    }
}
