package import LineProtocol

/// A search for secret values in JSON, based on the names of their keys.
package enum JSONSecrets {
    /// If a key contains one of these words, its value is a secret.
    private static let words = ["pass", "token", "jwt", "nkey", "sig", "secret", "auth", "cred"]

    /// Returns false if a line certainly contains none of the words. Fast.
    package static func mayOccur(in line: Span<UInt8>) -> Bool {
        var offset = 0
        while offset + 2 < line.count {
            let start = UInt32(line[offset] | 0x20) << 16 | UInt32(line[offset + 1] | 0x20) << 8
            if starts.contains(start | UInt32(line[offset + 2] | 0x20)) { return true }
            offset += 1
        }
        return false
    }

    /// The first three letters of the words.
    private static let starts = words.map { $0.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) } }

    /// Returns the ranges of the secret values: strings (without their quotes), numbers, `true` and
    /// `false`. Keys are examined at any depth. Malformed JSON is parsed as far as possible.
    package static func ranges(in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        values(in: bytes, range).map(\.value)
    }

    /// Returns the secret values along with their keys.
    package static func values(
        in bytes: [UInt8], _ range: Range<Int>
    ) -> [(key: [UInt8], value: Range<Int>)] {
        var found: [(key: [UInt8], value: Range<Int>)] = []
        var key: [UInt8]?
        var isValue = false
        /// For each open object or array, true if it is an array.
        var isArray: [Bool] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let token: Range<Int>
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                token = string(in: bytes, from: offset + 1, to: range.upperBound)
                offset = token.upperBound + 1
            case UInt8(ascii: ":"):
                isValue = true
                offset += 1
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                isArray.append(bytes[offset] == UInt8(ascii: "["))
                if isArray.last == false { (key, isValue) = (nil, false) }
                offset += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = isArray.popLast()
                offset += 1
                continue
            case UInt8(ascii: ","):
                // All elements of an array belong to the array's key.
                if isArray.last != true { (key, isValue) = (nil, false) }
                offset += 1
                continue
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                offset += 1
                continue
            default:
                token = scalar(in: bytes, from: offset, to: range.upperBound)
                offset = token.upperBound
            }
            if isValue, let key {
                if isSecret(key) { found.append((key, token)) }
            } else {
                key = Array(bytes[token])
            }
        }
        return found
    }

    /// Returns the secret values whose keys the dialect does not declare as arguments.
    ///
    /// - Parameter command: The line's command; nil if it is none, so that the keys of all commands
    ///   count as declared.
    package static func undeclaredValues(
        in line: [UInt8], of command: CommandSignature?, _ signatures: [CommandSignature]
    ) -> [(key: [UInt8], value: Range<Int>)] {
        values(in: line, line.indices).filter { found in
            command.map { !$0.declares(key: found.key) }
                ?? !signatures.contains { $0.declares(key: found.key) }
        }
    }

    /// Returns true if a name suggests a secret, such as `authToken`.
    package static func isSecret(_ key: [UInt8]) -> Bool {
        let key = String(decoding: key, as: UTF8.self).lowercased()
        return words.contains { key.contains($0) }
    }

    /// Returns the range of a string's contents, without its quotes.
    ///
    /// - Parameter start: offset of the first character.
    private static func string(in bytes: [UInt8], from start: Int, to end: Int) -> Range<Int> {
        var offset = start
        while offset < end, bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return start..<min(offset, end)
    }

    /// Returns the range of a number or a word.
    private static func scalar(in bytes: [UInt8], from start: Int, to end: Int) -> Range<Int> {
        let ends = Array(",:{}[]\" \t\r\n".utf8)
        return start..<(bytes[start..<end].firstIndex { ends.contains($0) } ?? end)
    }
}
