/// A text without the markup or separators that may interrupt a secret.
private struct TextView {
    private(set) var bytes: [UInt8] = []
    /// The offset of each byte in the original text.
    private(set) var offsets: [Int] = []

    mutating func append(_ byte: UInt8, at offset: Int) {
        bytes.append(byte)
        offsets.append(offset)
    }

    mutating func removeLast() {
        guard let last = bytes.last, !ASCIIText.isLineEnd(last) else { return }
        bytes.removeLast()
        offsets.removeLast()
    }

    /// Returns the part of the original text that contains these bytes.
    func range(_ part: Range<Int>) -> Range<Int> {
        offsets[part.lowerBound]..<offsets[part.upperBound - 1] + 1
    }
}

extension SecretScanner {
    /// Maximum length of a tag or of a control sequence, in bytes.
    private static let markupMax = 256
    /// Minimum number of separators in a number with groups of digits.
    private static let separatorsMin = 2

    /// Adds the ranges of secrets that contain tags of HTML or XML, control sequences of terminals, or
    /// characters that were deleted, such as `<b>hun</b>ter2`. Each part of a secret may have any
    /// length.
    mutating func addMarkup(_ bytes: [UInt8], isData: Bool, to found: inout [Range<Int>]) {
        guard let view = Self.withoutMarkup(bytes) else { return }
        var reader = EscapeReader(view.bytes)
        var ranges = spellings(in: &reader, isData: isData)
        addParts(&reader, to: &ranges)
        found += ranges.map(view.range)
        steps += view.bytes.count + reader.steps
    }

    /// Adds the ranges of secrets in numbers with groups of digits, such as `7,527,043,798,416`.
    mutating func addGroupedNumbers(_ bytes: [UInt8], to found: inout [Range<Int>]) {
        guard let view = Self.withoutSeparators(bytes) else { return }
        var ranges: [Range<Int>] = []
        addLists(view.bytes, to: &ranges)
        found += ranges.map(view.range)
        steps += view.bytes.count
    }

    // MARK: Markup

    /// Returns the text without markup; nil if there is none.
    private static func withoutMarkup(_ bytes: [UInt8]) -> TextView? {
        guard bytes.contains(where: isMarkup) else { return nil }
        var view = TextView()
        var offset = 0
        while offset < bytes.count {
            if isMarkup(bytes[offset]) {
                if let end = endOfBackspace(bytes, offset) {
                    view.removeLast()
                    offset = end
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
        return view.bytes.count < bytes.count ? view : nil
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x03, 0x08, 0x1B, UInt8(ascii: "<"), UInt8(ascii: "^"): true
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
        case 0x1B where next == UInt8(ascii: "["):
            let end = rest.dropFirst(2).firstIndex { !(0x20...0x3F).contains($0) }
            guard let end, (0x40...0x7E).contains(bytes[end]) else { return nil }
            return end + 1
        case 0x03:
            return ListItem.afterColour(bytes, start)
        default:
            return nil
        }
    }

    // MARK: Grouped numbers

    /// Returns the text without the separators between groups of three digits; nil if there are none.
    private static func withoutSeparators(_ bytes: [UInt8]) -> TextView? {
        var view = TextView()
        var taken = 0
        var offset = 0
        while offset < bytes.count {
            guard ASCIIText.isDigit(bytes[offset]) else {
                offset += 1
                continue
            }
            let first = offset
            let (end, count) = endOfGroups(bytes, first)
            offset = end
            guard count >= separatorsMin else { continue }
            for index in taken..<end where index < first || ASCIIText.isDigit(bytes[index]) {
                view.append(bytes[index], at: index)
            }
            taken = end
        }
        guard taken > 0 else { return nil }
        for index in taken..<bytes.count { view.append(bytes[index], at: index) }
        return view
    }

    /// Returns the offset after the digits at the start and after all groups of three digits that
    /// follow with the same separator, and the number of those groups.
    private static func endOfGroups(_ bytes: [UInt8], _ start: Int) -> (end: Int, count: Int) {
        func afterDigits(_ offset: Int) -> Int {
            bytes[offset...].firstIndex { !ASCIIText.isDigit($0) } ?? bytes.count
        }
        var end = afterDigits(start)
        var count = 0
        guard end - start <= 3, end < bytes.count, isGroupSeparator(bytes[end]) else {
            return (end, 0)
        }
        let separator = bytes[end]
        while end < bytes.count, bytes[end] == separator {
            let next = afterDigits(end + 1)
            guard next - end == 4 else { break }
            (end, count) = (next, count + 1)
        }
        return (end, count)
    }

    private static func isGroupSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "'"): true
        default: false
        }
    }
}
