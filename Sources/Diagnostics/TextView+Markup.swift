extension TextView {
    /// Maximum length of a tag or of a control sequence, in bytes.
    private static let markupMax = 256

    /// Returns the text without markup, and whether a backspace comes before an underscore; nil if
    /// there is no markup.
    static func withoutMarkup(
        _ bytes: [UInt8], underlines: Bool
    ) -> (view: TextView, hasUnderscores: Bool)? {
        guard bytes.contains(where: isMarkup) else { return nil }
        var view = TextView()
        var hasUnderscores = false
        var offset = 0
        while offset < bytes.count {
            if isMarkup(bytes[offset]) {
                if let end = endOfBackspace(bytes, offset) {
                    let isUnderscore = end < bytes.count && bytes[end] == UInt8(ascii: "_")
                    hasUnderscores = hasUnderscores || isUnderscore
                    if isUnderscore, underlines {
                        offset = end + 1
                    } else {
                        view.removeLastCharacter()
                        offset = end
                    }
                    continue
                }
                if let end = endOfMarkup(bytes, offset) {
                    offset = end
                    continue
                }
            }
            view.append(bytes[offset], at: offset)
            offset += 1
        }
        return view.bytes.count < bytes.count ? (view, hasUnderscores) : nil
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x03, 0x08, 0x1B, 0xC2, UInt8(ascii: "<"), UInt8(ascii: "^"): true
        default: false
        }
    }

    /// Returns the offset after a backspace, which may be written as `^H`; nil if there is none.
    private static func endOfBackspace(_ bytes: [UInt8], _ offset: Int) -> Int? {
        if bytes[offset] == 0x08 { return offset + 1 }
        let isCaret = bytes[offset] == UInt8(ascii: "^") && offset + 1 < bytes.count
        return isCaret && bytes[offset + 1] == UInt8(ascii: "H") ? offset + 2 : nil
    }

    /// Returns the offset after the tag or the control sequence at an offset; nil if there is none.
    private static func endOfMarkup(_ bytes: [UInt8], _ start: Int) -> Int? {
        let rest = bytes[start...].prefix(markupMax)
        let next = rest.dropFirst().first ?? 0
        switch bytes[start] {
        case UInt8(ascii: "<") where ASCIIText.isLetter(next) || next == UInt8(ascii: "/"):
            let end = rest.dropFirst().firstIndex {
                $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") || ASCIIText.isLineEnd($0)
            }
            guard let end, bytes[end] == UInt8(ascii: ">") else { return nil }
            return end + 1
        case 0x1B:
            return endOfSequence(rest, next)
        case 0xC2 where next == 0x9B:
            return endOfControl(rest.dropFirst(2))
        case 0x03:
            return ListItem.afterColour(bytes, start)
        default:
            return nil
        }
    }

    /// Returns the offset after the escape sequence of a terminal at the start of a text; nil if there
    /// is none.
    private static func endOfSequence(_ text: ArraySlice<UInt8>, _ next: UInt8) -> Int? {
        switch next {
        case UInt8(ascii: "["):
            return endOfControl(text.dropFirst(2))
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
            UInt8(ascii: "_"):
            // A string, such as the title of a window or the address of a link.
            let end = text.dropFirst(2).firstIndex {
                $0 == 0x07 || $0 == 0x1B || ASCIIText.isLineEnd($0)
            }
            guard let end, !ASCIIText.isLineEnd(text[end]) else { return nil }
            let isLong = text[end...].starts(with: [0x1B, UInt8(ascii: "\\")])
            return isLong ? end + 2 : text[end] == 0x07 ? end + 1 : nil
        default:
            let end = text.dropFirst().firstIndex { !(0x20...0x2F).contains($0) }
            guard let end, (0x30...0x7E).contains(text[end]) else { return nil }
            return end + 1
        }
    }

    /// Returns the offset after the parameters and the last byte of a control sequence; nil if it is
    /// not valid.
    private static func endOfControl(_ rest: ArraySlice<UInt8>) -> Int? {
        let end = rest.firstIndex { !(0x20...0x3F).contains($0) }
        guard let end, (0x40...0x7E).contains(rest[end]) else { return nil }
        return end + 1
    }
}
