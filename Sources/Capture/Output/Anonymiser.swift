import LineProtocol

/// Replaces what points to people and machines by pseudonyms: the same one for the same text, whatever its
/// case, throughout a capture.
///
/// Names are what stands in arguments that hold names (by the dialect's own names for them, and before the
/// command); they are then replaced in texts, too, as are addresses and e-mail addresses. A name that a
/// text has before it is known as one stays.
package final class Anonymiser {
    /// The most different texts that are replaced; of more, all become one.
    static let pseudonymsMax = 200_000

    /// What a text is.
    package enum Rule: String, Sendable, CaseIterable {
        case name, room, host, address, email
    }

    /// What an argument holds.
    enum Role {
        /// Names, with marks around them: `alice!al@host`, `#room,#other`.
        case names
        /// A text in which names may stand.
        case text
    }

    /// How many different texts each rule has replaced, and in how many places.
    package private(set) var counts: [Rule: (texts: Int, places: Int)] = [:]
    private var known: [[UInt8]: (rule: Rule, pseudonym: [UInt8])] = [:]

    /// Nothing is known yet.
    package init() {}

    /// What an argument of this name holds.
    static func role(_ argument: ArgumentSignature) -> Role {
        if argument.place == .source { return .names }
        let words = [
            "nick", "user", "name", "account", "client", "target", "channel", "room", "sender",
            "from", "to", "who", "server", "host", "source", "invoker", "mask", "ident", "address",
            "passport", "subject", "reply", "queue",
        ]
        let name = argument.name.lowercased()
        let isExact = words.contains(name)
        let isPart = words.contains { $0.count > 4 && name.contains($0) || name.hasPrefix("nick") }
        return isExact || isPart || name.hasSuffix("name") ? .names : .text
    }

    /// The value with pseudonyms.
    func value(_ bytes: Span<UInt8>, _ role: Role) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        var mark: UInt8 = 0
        while place < bytes.count {
            guard Self.isInWord(bytes[place]) else {
                mark = bytes[place]
                result.append(mark)
                place += 1
                continue
            }
            var end = place
            while end < bytes.count, Self.isInWord(bytes[end]) { end += 1 }
            if role == .text, let mail = Self.endOfMail(bytes, end) { end = mail }
            result += word(bytes.array(place..<end), role, after: mark)
            place = end
            mark = 0
        }
        return result
    }

    /// The pseudonym of an address with a port.
    func endpoint(_ end: Endpoint) -> String {
        let text = String(
            decoding: pseudonym(Array(end.address.text.utf8), .address), as: UTF8.self)
        return end.address.isIPv4 ? "\(text):\(end.port)" : "[\(text)]:\(end.port)"
    }

    /// The pseudonym of an operator's name.
    func name(_ name: [UInt8]) -> [UInt8] { value(name.span, .names) }

    private func word(_ word: [UInt8], _ role: Role, after mark: UInt8) -> [UInt8] {
        if let rule = Self.rule(word) { return pseudonym(word, rule) }
        let isNumber = word.allSatisfy { ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.minus }
        if role == .names, !isNumber {
            if mark == UInt8(ascii: "#") || mark == UInt8(ascii: "&") {
                return pseudonym(word, .room)
            }
            let isHost = mark == ASCII.at || word.contains(ASCII.dot)
            return pseudonym(word, isHost ? .host : .name)
        }
        // Full stops and colons after a name in a text are none of it.
        let core = word.prefix(
            word.count - word.reversed().prefix { $0 == 0x2E || $0 == 0x3A }.count)
        guard let found = known[core.map(ASCII.uppercased)] else { return word }
        counts[found.rule, default: (0, 0)].places += 1
        return found.pseudonym + word[core.count...]
    }

    /// What a word is by its looks.
    private static func rule(_ word: [UInt8]) -> Rule? {
        if let at = word.firstIndex(of: ASCII.at), at > 0, word[at...].contains(ASCII.dot) {
            return .email
        }
        let numbers = word.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let isIPv4 =
            numbers.count == 4
            && numbers.allSatisfy { number in
                (1...3).contains(number.count) && number.allSatisfy(ASCII.isDigit)
            }
        if isIPv4 { return .address }
        let isIPv6 =
            word.count { $0 == ASCII.colon } >= 2
            && word.allSatisfy { $0 == ASCII.colon || ASCII.hexValue($0) != nil }
        return isIPv6 ? .address : nil
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        // _ - . : [ ] ` ^ { | } \ are parts of names and addresses; @ joins an e-mail address.
        case 0x5F, 0x2D, 0x2E, 0x3A, 0x5B...0x5E, 0x60, 0x7B...0x7D: true
        default: false
        }
    }

    /// Where an e-mail address ends whose first part ends at `place`; nil if it is none.
    private static func endOfMail(_ bytes: Span<UInt8>, _ place: Int) -> Int? {
        guard place < bytes.count, bytes[place] == ASCII.at else { return nil }
        var end = place + 1
        while end < bytes.count, isInWord(bytes[end]) { end += 1 }
        let hasDot = (place..<end).contains { bytes[$0] == ASCII.dot }
        return hasDot ? end : nil
    }

    private func pseudonym(_ word: [UInt8], _ rule: Rule) -> [UInt8] {
        let key = word.map(ASCII.uppercased)
        if let found = known[key] {
            counts[found.rule, default: (0, 0)].places += 1
            return found.pseudonym
        }
        var count = counts[rule] ?? (0, 0)
        count.places += 1
        guard known.count < Self.pseudonymsMax else {
            counts[rule] = count
            return Array("\(rule.rawValue)0".utf8)
        }
        count.texts += 1
        counts[rule] = count
        let text =
            switch rule {
            case .name, .room: "\(rule.rawValue)\(count.texts)"
            case .host: "host\(count.texts).example"
            case .email: "person\(count.texts)@mail.example"
            case .address:
                word.contains(ASCII.colon)
                    ? "2001:db8::\(String(count.texts, radix: 16))"
                    // The range for benchmarks (RFC 2544).
                    : "198.\(18 + count.texts >> 16 & 1).\(count.texts >> 8 & 255).\(count.texts & 255)"
            }
        known[key] = (rule, Array(text.utf8))
        return Array(text.utf8)
    }
}
