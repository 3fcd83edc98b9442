import LineProtocol

/// An anonymiser that replaces names and addresses with pseudonyms. Values that differ only in
/// letter case get the same pseudonym throughout a capture.
///
/// Names are found in the source prefix, and in arguments whose declared name suggests it, such as
/// `nick`. In other text, such as chat messages, IP and e-mail addresses are replaced, but names
/// only if they have already been found elsewhere.
package final class Anonymiser {
    /// Maximum number of distinct values that get their own pseudonym. All other values share one.
    static let pseudonymsMax = 200_000

    /// The kind of value that is replaced.
    package enum Rule: String, Sendable, CaseIterable {
        case name, room, host, address, email
    }

    /// The kind of text in an argument: names, or text that may contain names.
    enum Role {
        /// One or more names with punctuation, such as `alice!al@host` or `#room,#other`.
        case names
        /// Text that may contain names.
        case text
    }

    /// For each rule, the number of distinct values that were replaced and the number of
    /// replacements.
    package private(set) var counts: [Rule: (texts: Int, occurrences: Int)] = [:]
    private var known: [[UInt8]: (rule: Rule, pseudonym: [UInt8])] = [:]
    /// True if numbers in place of names are replaced, too.
    private let replacesNumbers: Bool

    package init(replacesNumbers: Bool = false) { self.replacesNumbers = replacesNumbers }

    /// Guesses an argument's content from its name.
    static func role(_ argument: ArgumentSignature) -> Role {
        if argument.position == .source { return .names }
        let words = [
            "nick", "user", "name", "account", "client", "target", "channel", "room", "sender",
            "from", "to", "who", "server", "host", "source", "invoker", "mask", "ident", "address",
            "passport", "subject", "reply", "queue", "contact", "member", "mailbox", "domain",
            "email", "ip", "uid", "cluid", "names", "users",
        ]
        let name = argument.name.lowercased()
        let isExact = words.contains(name)
        let isPart = words.contains { $0.count > 4 && name.contains($0) || name.hasPrefix("nick") }
        return isExact || isPart || name.hasSuffix("name") ? .names : .text
    }

    /// Returns the value with its names and addresses replaced.
    func value(_ bytes: Span<UInt8>, _ role: Role) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        var mark: UInt8 = 0
        while offset < bytes.count {
            guard Self.isInWord(bytes[offset]) else {
                // In `user@host`, a host follows; in `@alice`, the name of an operator.
                let isPrefix =
                    bytes[offset] == ASCII.at && (offset == 0 || mark == ASCII.space)
                mark = isPrefix ? ASCII.space : bytes[offset]
                result.append(bytes[offset])
                offset += 1
                continue
            }
            var end = offset
            while end < bytes.count, Self.isInWord(bytes[end]) { end += 1 }
            if role == .text, let mail = Self.endOfMail(bytes, end) { end = mail }
            result += word(bytes.array(offset..<end), role, after: mark)
            offset = end
            mark = 0
        }
        return result
    }

    /// Returns the endpoint with a pseudonym in place of its address.
    func endpoint(_ end: IPEndpoint) -> IPEndpoint {
        IPEndpoint(address: address(end.address), port: end.port)
    }

    /// Returns the pseudonym of an address.
    func address(_ address: IPAddress) -> IPAddress {
        let text = pseudonym(Array(address.text.utf8), .address)
        return IPAddress(text: String(decoding: text, as: UTF8.self)) ?? IPAddress()
    }

    /// Returns the pseudonym of an operator's name.
    func name(_ name: [UInt8]) -> [UInt8] { value(name.span, .names) }

    private func word(_ word: [UInt8], _ role: Role, after mark: UInt8) -> [UInt8] {
        if let at = word.firstIndex(of: ASCII.at), at > 0, word[at...].contains(ASCII.dot) {
            return pseudonym(word, .email)
        }
        if role == .names, let address = AddressText.find(in: word),
            !replacesNumbers || Self.hasOnlyPort(word, address)
        {
            // A port or punctuation may follow.
            return word[..<address.lowerBound] + pseudonym(Array(word[address]), .address)
                + word[address.upperBound...]
        }
        let isNumber =
            !replacesNumbers
            && word.allSatisfy {
                ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.minus || $0 == ASCII.colon
            }
        if role == .names, !isNumber {
            if mark == UInt8(ascii: "#") || mark == UInt8(ascii: "&") {
                return pseudonym(word, .room)
            }
            let isHost = mark == ASCII.at || word.contains(ASCII.dot)
            return pseudonym(word, isHost ? .host : .name)
        }
        guard role == .text else { return knownName(word) }
        var result: [UInt8] = []
        var end = 0
        for address in AddressText.all(in: word) {
            result += knownName(Array(word[end..<address.lowerBound]))
            result += pseudonym(Array(word[address]), .address)
            end = address.upperBound
        }
        return result + knownName(Array(word[end...]))
    }

    /// Returns whether nothing but brackets and a port is next to the address in `word`.
    private static func hasOnlyPort(_ word: [UInt8], _ address: Range<Int>) -> Bool {
        let before = word[..<address.lowerBound]
        var after = word[address.upperBound...]
        if after.first == UInt8(ascii: "]") { after = after.dropFirst() }
        return before.isEmpty || before == [UInt8(ascii: "[")]
            ? after.isEmpty
                || after.first == ASCII.colon && (2...6).contains(after.count)
                    && after.dropFirst().allSatisfy(ASCII.isDigit)
            : false
    }

    /// Returns the pseudonym of a name that has been found elsewhere, or the word itself.
    private func knownName(_ word: [UInt8]) -> [UInt8] {
        // A full stop or colon after a name is not part of it.
        let core = word.prefix(
            word.count - word.reversed().prefix { $0 == 0x2E || $0 == 0x3A }.count)
        guard let found = known[core.map(ASCII.uppercased)] else { return word }
        counts[found.rule, default: (0, 0)].occurrences += 1
        return found.pseudonym + word[core.count...]
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        // The characters _ - . : [ ] ` ^ { | } \ occur in names and addresses.
        case 0x5F, 0x2D, 0x2E, 0x3A, 0x5B...0x5E, 0x60, 0x7B...0x7D: true
        default: false
        }
    }

    /// Returns the end offset of the e-mail address whose local part ends at `offset`; nil if there
    /// is no address.
    private static func endOfMail(_ bytes: Span<UInt8>, _ offset: Int) -> Int? {
        guard offset < bytes.count, bytes[offset] == ASCII.at else { return nil }
        var end = offset + 1
        while end < bytes.count, isInWord(bytes[end]) { end += 1 }
        let hasDot = (offset..<end).contains { bytes[$0] == ASCII.dot }
        return hasDot ? end : nil
    }

    /// Returns an address of the same family as `word`, from the ranges that are reserved for
    /// documentation (RFC 3849), for benchmarks (RFC 2544) and, if those are used up, for future
    /// use (RFC 1112).
    private static func address(_ number: Int, like word: [UInt8]) -> String {
        if word.contains(ASCII.colon) {
            let end = String(number & 0xFFFF, radix: 16)
            return number > 0xFFFF
                ? "2001:db8::\(String(number >> 16, radix: 16)):\(end)" : "2001:db8::\(end)"
        }
        let first = number >> 17 == 0 ? "198.\(18 + number >> 16)" : "240.\(number >> 16)"
        return "\(first).\(number >> 8 & 255).\(number & 255)"
    }

    private func pseudonym(_ word: [UInt8], _ rule: Rule) -> [UInt8] {
        let key = word.map(ASCII.uppercased)
        if let found = known[key] {
            counts[found.rule, default: (0, 0)].occurrences += 1
            return found.pseudonym
        }
        var count = counts[rule] ?? (0, 0)
        count.occurrences += 1
        guard known.count < Self.pseudonymsMax else {
            counts[rule] = count
            return Array(
                (rule == .address ? Self.address(0, like: word) : "\(rule.rawValue)0").utf8)
        }
        count.texts += 1
        counts[rule] = count
        let text =
            switch rule {
            case .name, .room: "\(rule.rawValue)\(count.texts)"
            case .host: "host\(count.texts).example"
            case .email: "person\(count.texts)@mail.example"
            case .address: Self.address(count.texts, like: word)
            }
        known[key] = (rule, Array(text.utf8))
        return Array(text.utf8)
    }
}
