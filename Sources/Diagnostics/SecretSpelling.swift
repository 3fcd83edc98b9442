/// A secret and the forms in which it is recognised.
///
/// - Each byte may be written literally, percent-encoded, escaped with a backslash, as an HTML
///   character reference, or in quoted-printable.
/// - A secret of at least 8 bytes is also recognised in a different letter case, and if the end of
///   the text or line cuts it off after at least 6 bytes.
/// - A secret of at least 6 bytes is recognised in base64, wherever it begins in the encoded data,
///   and in hexadecimal.
/// - A secret of fewer than 4 bytes is recognised only as a whole word.
struct SecretSpelling: Sendable {
    /// Minimum length of a secret that is recognised inside a word, in bytes.
    static let embeddedBytesMin = 4
    private static let encodedBytesMin = 6
    private static let foldedBytesMin = 8
    private static let cutBytesMin = 6
    private static let separators = Set(" \t,;:|=\"'`{}[]<>()\r\n\0".utf8)
    private static let backslash = UInt8(ascii: "\\")

    let secret: [UInt8]
    /// The secret with each run of backslashes reduced to one, because escaping doubles them.
    private let letters: [UInt8]
    /// The base64 digits that encode only bits of the secret, for each possible position of the
    /// secret's first byte in a group of three bytes.
    private let base64: [[UInt8]]

    init(_ secret: [UInt8]) {
        self.secret = secret
        var letters: [UInt8] = []
        for byte in secret where byte != Self.backslash || letters.last != Self.backslash {
            letters.append(byte)
        }
        self.letters = letters
        base64 =
            secret.count >= Self.encodedBytesMin ? (0..<3).map { Self.digits(secret, $0) } : []
    }

    /// The bytes that can begin a form of the secret.
    var starts: [UInt8] {
        var starts: [UInt8] = Array("%\\&=".utf8)
        if let first = letters.first {
            starts += [first]
            if isFolded { starts += [first ^ (ASCII.isLetter(first) ? 0x20 : 0)] }
            if first == UInt8(ascii: " ") { starts.append(UInt8(ascii: "+")) }
            if isEncoded { starts += ASCII.hexDigits(first >> 4) }
        }
        return starts + base64.compactMap(\.first)
    }

    private var isFolded: Bool { secret.count >= Self.foldedBytesMin }
    private var isEncoded: Bool { secret.count >= Self.encodedBytesMin }

    /// Returns the range to mask if a form of the secret begins at the index; otherwise nil. The
    /// range can begin before the index.
    func range(in bytes: [UInt8], at index: Int) -> Range<Int>? {
        if secret.count < Self.embeddedBytesMin { return wordRange(in: bytes, at: index) }
        if let end = end(in: bytes, from: index) ?? hexadecimalEnd(in: bytes, from: index) {
            return index..<end
        }
        return base64Range(in: bytes, at: index)
    }

    private func wordRange(in bytes: [UInt8], at index: Int) -> Range<Int>? {
        func isBoundary(_ index: Int) -> Bool {
            !bytes.indices.contains(index) || Self.separators.contains(bytes[index])
        }
        guard isBoundary(index - 1), bytes[index...].starts(with: secret),
            isBoundary(index + secret.count)
        else { return nil }
        return index..<index + secret.count
    }

    // MARK: Byte by byte

    /// Matches the secret's bytes from `first` on. Returns the end of the match, or nil.
    private func end(in bytes: [UInt8], from start: Int, _ first: Int = 0) -> Int? {
        var index = start
        for count in first..<letters.count {
            if index >= bytes.count
                || Self.isLineEnd(bytes[index]) && letters[count] != bytes[index]
            {
                return isFolded && count >= Self.cutBytesMin ? index : nil
            }
            let letter = letters[count]
            var lengths = lengths(of: letter, in: bytes, at: index)
            if isPlain(letter, bytes[index]) { lengths.one = 1 }
            // `%25` can be an encoded percent sign, or a literal one followed by 25.
            guard let last = lengths.last else { return nil }
            for length in lengths.others {
                if let end = end(in: bytes, from: index + length, count + 1) { return end }
            }
            index += last
        }
        return index
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns true if the byte is the letter, possibly in a different case.
    private func isPlain(_ letter: UInt8, _ byte: UInt8) -> Bool {
        byte == letter || isFolded && ASCII.isLetter(letter) && byte ^ 0x20 == letter
    }

    /// Returns the lengths of the encoded or escaped forms of the byte `letter` that start at the
    /// index.
    private func lengths(of letter: UInt8, in bytes: [UInt8], at index: Int) -> Lengths {
        var lengths = Lengths()
        switch bytes[index] {
        case UInt8(ascii: "%"):
            if ASCII.byte(bytes, index + 1) == letter { lengths.two = 3 }
            if bytes[index...].starts(with: "%25".utf8), ASCII.byte(bytes, index + 3) == letter {
                lengths.three = 5
            }
        case UInt8(ascii: "="):
            if ASCII.byte(bytes, index + 1) == letter { lengths.two = 3 }
        case UInt8(ascii: "+"):
            if letter == UInt8(ascii: " ") { lengths.two = 1 }
        case UInt8(ascii: "&"):
            lengths.two = referenceLength(of: letter, in: bytes, at: index)
        case Self.backslash:
            lengths.two = escapeLength(of: letter, in: bytes, at: index)
            if letter == Self.backslash {
                lengths.three = bytes[index...].prefix { $0 == letter }.count
            }
        default: break
        }
        return lengths
    }

    /// The lengths of different forms of a byte at the same index.
    private struct Lengths {
        var one: Int?
        var two: Int?
        var three: Int?

        private var all: [Int] { [three, two, one].compactMap(\.self) }
        var last: Int? { one ?? two ?? three }
        /// All lengths except the last.
        var others: ArraySlice<Int> { two == nil && three == nil ? [] : all.dropLast() }
    }

    /// Returns the length of an escape sequence for `letter`, which may have been escaped again:
    /// `\x41`, `\u0041`, `\u{41}`, `\"`, `\n`. Returns nil if there is none.
    private func escapeLength(of letter: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        let slashes = bytes[index...].prefix { $0 == Self.backslash }.count
        let next = index + slashes
        guard next < bytes.count else { return nil }
        switch bytes[next] {
        case UInt8(ascii: "x") where ASCII.byte(bytes, next + 1) == letter: return slashes + 3
        case UInt8(ascii: "u") where bytes[(next + 1)...].starts(with: "00".utf8):
            return ASCII.byte(bytes, next + 3) == letter ? slashes + 5 : nil
        case UInt8(ascii: "u") where bytes[(next + 1)...].starts(with: "{".utf8):
            let digits = bytes[(next + 2)...].prefix { $0 != UInt8(ascii: "}") }.prefix(8)
            return ASCII.number(digits, radix: 16) == Int(letter)
                ? slashes + digits.count + 3 : nil
        case letter where !ASCII.isLetter(letter) && letter != Self.backslash: return slashes + 1
        case UInt8(ascii: "n") where letter == UInt8(ascii: "\n"),
            UInt8(ascii: "r") where letter == UInt8(ascii: "\r"),
            UInt8(ascii: "t") where letter == UInt8(ascii: "\t"),
            UInt8(ascii: "0") where letter == 0:
            return slashes + 1
        default: return nil
        }
    }

    /// Returns the length of a character reference for `letter`, which may have been escaped again:
    /// `&lt;`, `&#60;`, `&#x3C;`, `&amp;lt;`. Returns nil if there is none.
    private func referenceLength(of letter: UInt8, in bytes: [UInt8], at index: Int) -> Int? {
        let again = bytes[index...].starts(with: "&amp;".utf8) ? 4 : 0
        if again > 0, letter == UInt8(ascii: "&") {
            return bytes[(index + 5)...].starts(with: "amp;".utf8) ? 9 : 5
        }
        let name = bytes[(index + again + 1)...].prefix { $0 != UInt8(ascii: ";") }.prefix(8)
        let value: Int?
        switch name.first {
        case UInt8(ascii: "#"):
            let digits = name.dropFirst()
            let isHexadecimal = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
            value = ASCII.number(
                isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
        default: value = Self.references[Array(name)].map(Int.init)
        }
        return value == Int(letter) ? again + name.count + 2 : nil
    }

    private static let references: [[UInt8]: UInt8] = [
        Array("lt".utf8): UInt8(ascii: "<"), Array("gt".utf8): UInt8(ascii: ">"),
        Array("quot".utf8): UInt8(ascii: "\""), Array("apos".utf8): UInt8(ascii: "'"),
    ]

    // MARK: Encodings

    /// Returns the end of the secret if it starts at `start` in hexadecimal, with or without
    /// separators between the bytes; otherwise nil.
    private func hexadecimalEnd(in bytes: [UInt8], from start: Int) -> Int? {
        guard isEncoded else { return nil }
        var index = start
        for (count, byte) in secret.enumerated() {
            if count > 0, index < bytes.count, " :-".utf8.contains(bytes[index]) { index += 1 }
            guard ASCII.byte(bytes, index) == byte else { return nil }
            index += 2
        }
        return index
    }

    /// If the secret's base64 digits start at the index, returns the range of the whole base64 text
    /// around them; otherwise nil. Adjacent digits also contain bits of the secret.
    private func base64Range(in bytes: [UInt8], at index: Int) -> Range<Int>? {
        for digits in base64 where bytes[index] == digits[0] {
            let end = index + digits.count
            guard end <= bytes.count,
                zip(bytes[index..<end], digits).allSatisfy({ Self.standard($0) == $1 })
            else { continue }
            let before = bytes[..<index].reversed().prefix { ASCII.isBase64($0) }.count
            let after = bytes[end...].prefix { ASCII.isBase64($0) || $0 == UInt8(ascii: "=") }
            return index - before..<end + after.count
        }
        return nil
    }

    /// Converts a digit of URL-safe base64 to standard base64.
    private static func standard(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }

    /// Returns the base64 digits that encode only bits of the secret, if `shift` bytes precede the
    /// secret in its group of three bytes.
    private static func digits(_ secret: [UInt8], _ shift: Int) -> [UInt8] {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        func bit(_ index: Int) -> Int { Int(secret[index / 8] >> (7 - UInt8(index % 8))) & 1 }
        // The first digit begins at a multiple of 6 bits of the encoded data.
        var start = (6 - shift * 8 % 6) % 6
        var digits: [UInt8] = []
        while start + 6 <= secret.count * 8 {
            digits.append(alphabet[(start..<start + 6).reduce(0) { $0 << 1 | bit($1) }])
            start += 6
        }
        return digits
    }
}

/// ASCII character classes and numbers.
private enum ASCII {
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isBase64(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "+/-_".utf8.contains(byte)
    }

    /// Parses two hexadecimal digits as a byte; returns nil if there are none at the index.
    static func byte(_ bytes: [UInt8], _ index: Int) -> UInt8? {
        guard index + 2 <= bytes.count, let high = digit(bytes[index]),
            let low = digit(bytes[index + 1])
        else { return nil }
        return UInt8(high << 4 | low)
    }

    static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        var value = 0
        for byte in digits {
            guard let digit = digit(byte), digit < radix else { return nil }
            value = value * radix + digit
        }
        return value
    }

    /// Returns a hexadecimal digit in lower and upper case.
    static func hexDigits(_ value: UInt8) -> [UInt8] {
        value < 10
            ? [UInt8(ascii: "0") + value]
            : [UInt8(ascii: "a") + value - 10, UInt8(ascii: "A") + value - 10]
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
