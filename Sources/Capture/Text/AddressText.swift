import LineProtocol

/// IP address detection in text.
enum AddressText {
    /// Returns the range of the address in a word such as `192.0.2.1:80` or `[2001:db8::1]`; nil if
    /// there is none. The address must be at the start of the word, optionally after a bracket.
    static func find(in word: [UInt8]) -> Range<Int>? {
        let start = word.first == UInt8(ascii: "[") ? 1 : 0
        let run = word[start...].prefix {
            ASCII.hexValue($0) != nil || $0 == ASCII.dot || $0 == ASCII.colon
        }
        // A letter after the address means that the word is a name.
        let rest = word[run.endIndex...]
        guard rest.isEmpty || rest.first == UInt8(ascii: "]") || start == 1 else { return nil }
        if let end = run.firstIndex(of: ASCII.colon), isIPv4(run[..<end]),
            run[(end + 1)...].allSatisfy(ASCII.isDigit)
        {
            return start..<end
        }
        // Punctuation may follow the address.
        var candidate = run
        while true {
            if isIPv4(candidate) || isIPv6(candidate) { return start..<candidate.endIndex }
            guard let last = candidate.last, last == ASCII.dot || last == ASCII.colon else {
                return nil
            }
            candidate = candidate.dropLast()
        }
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
