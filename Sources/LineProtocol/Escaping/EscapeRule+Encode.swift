extension EscapeRule {
    /// Escapes `value` and appends it to `target`.
    ///
    /// - Throws: ``EscapeError`` if the value cannot be written. Part of it may already have been
    ///   appended.
    public func encode(_ value: [UInt8], into target: inout [UInt8]) throws(EscapeError) {
        switch self {
        case .none(let forbidden):
            for (offset, byte) in value.enumerated() where forbidden.contains(byte) {
                throw EscapeError(offset: offset, reason: .unrepresentable(byte))
            }
            target.append(contentsOf: value)
        case .table(let table):
            try table.encode(value, into: &target)
        case .percent(let encoded):
            for byte in value {
                if encoded.contains(byte) || byte == ASCII.percent {
                    target.append(ASCII.percent)
                    target.append(ASCII.hexDigit(byte >> 4))
                    target.append(ASCII.hexDigit(byte))
                } else {
                    target.append(byte)
                }
            }
        case .doubling(let doubled, let forbidden):
            for (offset, byte) in value.enumerated() {
                if forbidden.contains(byte) {
                    throw EscapeError(offset: offset, reason: .unrepresentable(byte))
                }
                target.append(byte)
                if byte == doubled { target.append(byte) }
            }
        case .quotes:
            Self.encodeQuoted(value, into: &target)
        case .json:
            try JSONEscape.encode(value, into: &target)
        }
    }

    /// Returns the escaped value.
    ///
    /// - Throws: ``EscapeError`` if the value cannot be written.
    public func encode(_ value: [UInt8]) throws(EscapeError) -> [UInt8] {
        var result: [UInt8] = []
        try encode(value, into: &result)
        return result
    }

    private static func encodeQuoted(_ value: [UInt8], into target: inout [UInt8]) {
        target.append(ASCII.quote)
        for byte in value {
            switch byte {
            case ASCII.quote, ASCII.backslash:
                target.append(ASCII.backslash)
                target.append(byte)
            case 0x20...0x7E:
                target.append(byte)
            default:
                target.append(contentsOf: [ASCII.backslash, UInt8(ascii: "x")])
                target.append(ASCII.hexDigit(byte >> 4))
                target.append(ASCII.hexDigit(byte))
            }
        }
        target.append(ASCII.quote)
    }
}

extension EscapeTable {
    func encode(_ value: [UInt8], into target: inout [UInt8]) throws(EscapeError) {
        for (offset, byte) in value.enumerated() {
            if let letter = letter(for: byte) {
                target.append(escape)
                target.append(letter)
            } else if forbidden.contains(byte) {
                throw EscapeError(offset: offset, reason: .unrepresentable(byte))
            } else {
                target.append(byte)
            }
        }
    }
}
