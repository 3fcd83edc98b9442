extension [UInt8] {
    /// Removes an incomplete UTF-8 character from the end.
    package mutating func removeIncompleteCharacter() {
        var continuations = 0
        while continuations < Swift.min(3, count), self[count - 1 - continuations] & 0xC0 == 0x80 {
            continuations += 1
        }
        guard continuations < count else { return }
        let lead = self[count - 1 - continuations]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        if length > continuations + 1 { removeLast(continuations + 1) }
    }
}
