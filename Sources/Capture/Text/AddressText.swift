import LineProtocol

/// IP address detection in text.
enum AddressText {
    /// Maximum length of an address with a port and punctuation, in bytes. Longer text is not
    /// examined further.
    private static let bytesMax = 64
    /// Maximum number of dots and colons after an address.
    private static let punctuationMax = 4

    /// Returns the range of the address in a word such as `192.0.2.1:80` or `[2001:db8::1]`; nil if
    /// there is none. The address must be at the start of the word, optionally after a bracket.
    static func find(in word: [UInt8]) -> Range<Int>? {
        let start = word.first == UInt8(ascii: "[") ? 1 : 0
        guard let end = end(in: word, from: start) else { return nil }
        // A letter after the address means that the word is a name.
        let rest = word[end...].drop { $0 == ASCII.colon || $0 == ASCII.dot || ASCII.isDigit($0) }
        guard rest.isEmpty || rest.first == UInt8(ascii: "]") || start == 1 else { return nil }
        return start..<end
    }

    /// Returns the ranges of all addresses in a word, such as both in `192.0.2.1-192.0.2.9`. An
    /// address that is part of a number or name does not count.
    static func all(in word: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var offset = 0
        while offset < word.count {
            let isStart =
                offset == 0 || !isInName(word[offset - 1]) && word[offset - 1] != ASCII.dot
            if isStart, let end = end(in: word, from: offset) {
                found.append(offset..<end)
                offset = end
            } else {
                offset += 1
            }
        }
        return found
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
    }

    /// Returns the end of the address that starts at an offset; nil if there is none. A port or
    /// punctuation may follow.
    private static func end(in word: [UInt8], from start: Int) -> Int? {
        let run = word[start...].prefix(bytesMax).prefix {
            ASCII.hexValue($0) != nil || $0 == ASCII.dot || $0 == ASCII.colon
        }
        guard run.contains(where: { ASCII.hexValue($0) != nil }),
            run.endIndex == word.count || !isInName(word[run.endIndex])
        else { return nil }
        if let colon = run.firstIndex(of: ASCII.colon), isIPv4(run[..<colon]) { return colon }
        var candidate = run
        for _ in 0...punctuationMax {
            if isIPv4(candidate) || isIPv6(candidate) { return candidate.endIndex }
            guard let last = candidate.last, last == ASCII.dot || last == ASCII.colon else {
                return nil
            }
            candidate = candidate.dropLast()
        }
        return nil
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let numbers = text.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { number in
                (1...3).contains(number.count) && number.allSatisfy(ASCII.isDigit)
            }
    }

    /// Returns whether the text is an IPv6 address (RFC 4291 §2.2), which may end with an IPv4
    /// address.
    private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
        var text = text
        var groupsMax = 8
        if let dot = text.firstIndex(of: ASCII.dot) {
            guard let colon = text[..<dot].lastIndex(of: ASCII.colon),
                isIPv4(text[(colon + 1)...])
            else { return false }
            // The IPv4 address replaces two groups.
            text = text[...colon]
            if text.count < 2 || text[colon - 1] != ASCII.colon { text = text.dropLast() }
            groupsMax = 6
        }
        let groups = text.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        let isShortened = groups.dropFirst().dropLast().contains(where: \.isEmpty)
        let written = groups.filter { !$0.isEmpty }
        guard !written.isEmpty, written.allSatisfy({ $0.count <= 4 }),
            written.allSatisfy({ $0.allSatisfy { ASCII.hexValue($0) != nil } })
        else { return false }
        guard isShortened else { return groups.count == groupsMax && written.count == groupsMax }
        // Only one `::` is allowed, and no single colon at the start or end.
        let colons = Array(text)
        let doubles = colons.indices.dropLast().filter {
            colons[$0] == ASCII.colon && colons[$0 + 1] == ASCII.colon
        }
        let starts = colons.first == ASCII.colon && colons[1] != ASCII.colon
        let ends = colons.last == ASCII.colon && colons[colons.count - 2] != ASCII.colon
        return doubles.count == 1 && written.count < groupsMax && !starts && !ends
    }
}
