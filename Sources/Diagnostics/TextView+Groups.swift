extension TextView {
    /// Minimum number of separators in a number with groups of digits.
    private static let separatorsMin = 2

    /// Returns the text without the separators between groups of three digits; nil if there are none.
    static func withoutSeparators(_ bytes: [UInt8]) -> TextView? {
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
            view.append(bytes, taken..<first)
            for index in first..<end where ASCIIText.isDigit(bytes[index]) {
                view.append(bytes[index], at: index)
            }
            taken = end
        }
        guard taken > 0 else { return nil }
        view.append(bytes, taken..<bytes.count)
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
