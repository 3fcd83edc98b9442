import LineProtocol

extension SeededRandom {
    /// A word of lower-case letters and digits that starts with a letter, so that most protocols take it
    /// as a name.
    mutating func word(count: Int = 10) -> [UInt8] {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        return (0..<count).map { place in
            letters[Int(next() % UInt64(place == 0 ? 24 : letters.count))]
        }
    }
}
