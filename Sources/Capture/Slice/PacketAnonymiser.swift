import LineProtocol

/// An anonymiser for the packets of a slice.
///
/// A packet is rebuilt from its TCP segment, so nothing else of the original remains. Each word
/// of its data is replaced by one of the same length, the same for all occurrences, so that lines,
/// sequence numbers and lengths stay as they were. Only the words of the dialects stay, and short
/// numbers.
struct PacketAnonymiser {
    /// Maximum number of digits of numbers that stay.
    private static let digitsMax = 3
    /// The same for dialects in which lines contain the lengths of payloads.
    private static let lengthDigitsMax = 6
    static let headerBytes = 54

    /// Commands, keys and choices of the dialects.
    private let vocabulary: Set<[UInt8]>
    /// The starts of commands that are identified by their start.
    private let prefixes: [[UInt8]]
    private let digitsMax: Int
    private var addresses: [IPAddress: UInt32] = [:]

    init(_ dialects: [Dialect]) {
        var words: Set<[UInt8]> = []
        var prefixes: Set<[UInt8]> = []
        var hasLengths = false
        for dialect in dialects {
            for syntax in [dialect.syntax.fromClient, dialect.syntax.fromServer] {
                if let json = syntax.json { words.formUnion(Self.words(json)) }
            }
            for signature in dialect.commands.signatures {
                words.formUnion(Self.words(signature))
                if case .prefix(let start) = signature.wire { prefixes.insert(start) }
                hasLengths =
                    hasLengths || signature.arguments.contains { $0.position == .payloadLength }
            }
        }
        vocabulary = words
        self.prefixes = Array(prefixes)
        digitsMax = hasLengths ? Self.lengthDigitsMax : Self.digitsMax
    }

    /// Returns the words that are part of the protocol rather than of a conversation.
    private static func words(_ signature: CommandSignature) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        if case .exact(let verb) = signature.wire { texts.append(verb) }
        for argument in signature.arguments {
            if case .key(let key) = argument.position { texts.append(key) }
            if case .choice(let choices) = argument.type {
                texts += choices.map { Array($0.utf8) }
            }
        }
        return texts.flatMap { text in
            text.split(whereSeparator: { !isInWord($0) }).map(Array.init)
        }
    }

    /// Returns the keys of the members that identify commands.
    private static func words(_ json: JSONSyntax) -> [[UInt8]] {
        switch json.form {
        case .key(let path): path.steps
        case .onlyKey: []
        case .rpc:
            ["jsonrpc", "method", "params", "result", "error", "code", "message", "id"].map {
                Array($0.utf8)
            }
        }
    }

    // MARK: Packets

    /// Returns an Ethernet packet with the anonymised segment, whose payload is in `bytes`.
    mutating func packet(_ segment: Segment, _ bytes: Span<UInt8>) -> [UInt8] {
        let data = anonymised(bytes.array(segment.payload))
        let (source, target) = (
            pseudonym(segment.source.address), pseudonym(segment.target.address)
        )
        let isIPv4 = segment.source.address.isIPv4
        let size = 20 + data.count + segment.uncaptured
        var packet = [UInt8](repeating: 0, count: 12) + (isIPv4 ? [0x08, 0] : [0x86, 0xDD])
        if isIPv4 {
            packet += [0x45, 0] + Self.big(UInt16(clamping: 20 + size)) + [0, 0, 0x40, 0, 64, 6]
            packet += [0, 0] + [10] + source.suffix(3) + [10] + target.suffix(3)
        } else {
            let prefix: [UInt8] = [0xFD] + [UInt8](repeating: 0, count: 11)
            packet += [0x60, 0, 0, 0] + Self.big(UInt16(clamping: size)) + [6, 64]
            packet += prefix + source + prefix + target
        }
        packet += Self.big(segment.source.port) + Self.big(segment.target.port)
        packet += Self.big(segment.sequence) + Self.big(segment.acknowledgement)
        packet += [0x50, segment.flags.rawValue] + Self.big(segment.window) + [0, 0, 0, 0]
        return packet + data
    }

    /// Returns the four bytes of the number of an address.
    private mutating func pseudonym(_ address: IPAddress) -> [UInt8] {
        let number = addresses[address] ?? UInt32(truncatingIfNeeded: addresses.count + 1)
        addresses[address] = number
        return Self.big(number)
    }

    private static func big(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        big(UInt16(truncatingIfNeeded: value >> 16)) + big(UInt16(truncatingIfNeeded: value))
    }

    // MARK: Words

    /// Returns the data with its words replaced.
    func anonymised(_ data: [UInt8]) -> [UInt8] {
        var result = data
        var offset = 0
        while offset < data.count {
            guard Self.isInWord(data[offset]) || Self.isMark(data[offset]) else {
                offset += replaceEscape(at: offset, of: data, in: &result)
                continue
            }
            var end = offset
            while end < data.count, Self.isInWord(data[end]) || Self.isMark(data[end]) { end += 1 }
            replace(offset..<end, of: data, in: &result)
            offset = end
        }
        return result
    }

    /// Replaces the code of an escaped character by that of `x`. Returns the number of bytes to skip.
    private func replaceEscape(at offset: Int, of data: [UInt8], in result: inout [UInt8]) -> Int {
        func isHex(_ range: Range<Int>) -> Bool {
            range.upperBound <= data.count && data[range].allSatisfy { ASCII.hexValue($0) != nil }
        }
        if data[offset] == UInt8(ascii: "%"), isHex(offset + 1..<offset + 3) {
            result.replaceSubrange(offset + 1..<offset + 3, with: Array("78".utf8))
            return 3
        }
        guard data[offset] == UInt8(ascii: "\\"), offset + 1 < data.count else { return 1 }
        if data[offset + 1] == UInt8(ascii: "u"), isHex(offset + 2..<offset + 6) {
            result.replaceSubrange(offset + 2..<offset + 6, with: Array("0078".utf8))
            return 6
        }
        // The letter says which character is escaped. A byte outside of ASCII is not one.
        return data[offset + 1] < 0x80 ? 2 : 1
    }

    /// Replaces the words in a range without spaces. Digits of addresses are replaced as well.
    private func replace(_ range: Range<Int>, of data: [UInt8], in result: inout [UInt8]) {
        let addresses = AddressText.all(in: Array(data[range])).map {
            (range.lowerBound + $0.lowerBound)..<(range.lowerBound + $0.upperBound)
        }
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard Self.isInWord(data[offset]) else {
                offset += 1
                continue
            }
            var end = offset
            while end < range.upperBound, Self.isInWord(data[end]) { end += 1 }
            let word = Array(data[offset..<end])
            let isInAddress = addresses.contains { $0.overlaps(offset..<end) }
            let isShortNumber = word.count <= digitsMax && word.allSatisfy(ASCII.isDigit)
            if isInAddress || !isShortNumber && !isOfProtocol(word) {
                result.replaceSubrange(offset..<end, with: Self.pseudonym(word))
            }
            offset = end
        }
    }

    private func isOfProtocol(_ word: [UInt8]) -> Bool {
        vocabulary.contains(word) || prefixes.contains { word.starts(with: $0) }
    }

    /// Returns a word of the same length and with the same kinds of characters. It depends on a key
    /// that differs from run to run. Words that differ only in letter case get the same one.
    private static func pseudonym(_ word: [UInt8]) -> [UInt8] {
        var hasher = Hasher()
        hasher.combine(word.map(ASCII.uppercased))
        var state = UInt64(bitPattern: Int64(hasher.finalize()))
        return word.enumerated().map { index, byte in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = UInt8(truncatingIfNeeded: state >> 56)
            // A number must not start with 0.
            if ASCII.isDigit(byte) { return 0x31 + value % 9 }
            return (ASCII.isLetter(byte) && byte < 0x61 ? 0x41 : 0x61) + value % 26
        }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
    }

    /// Returns whether a byte may be part of an address.
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == ASCII.dot || byte == ASCII.colon || byte == UInt8(ascii: "[")
            || byte == UInt8(ascii: "]")
    }
}
