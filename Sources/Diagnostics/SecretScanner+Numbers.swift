/// Bytes decoded from a list of numbers, with the range of each number in the text.
private struct NumberList {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    mutating func add(_ byte: UInt8, _ range: Range<Int>) {
        bytes.append(byte)
        ranges.append(range)
    }

    /// Returns the part of the text that contains these bytes.
    func range(_ part: Range<Int>) -> Range<Int> {
        ranges[part.lowerBound].lowerBound..<ranges[part.upperBound - 1].upperBound
    }
}

extension SecretScanner {
    /// Maximum number of separators between two numbers, in bytes.
    private static let separatorsMax = 4

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ";"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "|"), UInt8(ascii: "/"): true
        case UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    private static func afterSeparators(_ bytes: [UInt8], _ start: Int) -> Int {
        let limit = min(bytes.count, start + separatorsMax)
        var offset = start
        while offset < limit, isSeparator(bytes[offset]) { offset += 1 }
        return offset
    }

    private mutating func add(
        _ list: NumberList, _ depth: Int, to found: inout [Range<Int>]
    ) {
        guard list.bytes.count >= SecretSpelling.encodedBytesMin else { return }
        found += ranges(in: list.bytes, depth: depth + 1).map(list.range)
    }

    // MARK: Hexadecimal

    /// Adds the ranges of secrets in hexadecimal, with or without separators and `0x`.
    mutating func addHexadecimal(
        _ bytes: [UInt8], _ depth: Int, to found: inout [Range<Int>]
    ) {
        var list = NumberList()
        var offset = 0
        while offset + 1 < bytes.count {
            guard ASCIIText.digit(bytes[offset]) != nil else {
                offset += 1
                continue
            }
            var end = addHexadecimal(bytes, at: offset, &list, depth, to: &found)
            // The first byte may start at either of two digits.
            if ASCIIText.digit(bytes[offset + 1]) != nil {
                end = max(end, addHexadecimal(bytes, at: offset + 1, &list, depth, to: &found))
            }
            offset = max(end, offset + 1)
        }
    }

    /// Adds the ranges of secrets in the pairs of digits at the offset, and returns the offset after
    /// the last pair.
    private mutating func addHexadecimal(
        _ bytes: [UInt8], at start: Int, _ list: inout NumberList, _ depth: Int,
        to found: inout [Range<Int>]
    ) -> Int {
        // Most lists are short, so they are counted first.
        var count = 0
        let end = Self.readHexadecimal(bytes, start) { _, _ in count += 1 }
        if count >= SecretSpelling.encodedBytesMin {
            list.removeAll()
            _ = Self.readHexadecimal(bytes, start) { list.add($0, $1) }
            add(list, depth, to: &found)
        }
        return end
    }

    /// Reads pairs of digits, and returns the offset after the last one.
    @inline(__always)
    private static func readHexadecimal(
        _ bytes: [UInt8], _ start: Int, _ add: (UInt8, Range<Int>) -> Void
    ) -> Int {
        var end = start
        var next = start
        while next + 1 < bytes.count {
            var digits = next
            if bytes[digits] == UInt8(ascii: "0"), bytes[digits + 1] | 0x20 == UInt8(ascii: "x") {
                digits += 2
            }
            guard digits + 1 < bytes.count, let high = ASCIIText.digit(bytes[digits]),
                let low = ASCIIText.digit(bytes[digits + 1])
            else { break }
            end = digits + 2
            add(UInt8(high << 4 | low), next..<end)
            next = afterSeparators(bytes, end)
        }
        return end
    }

    // MARK: Decimal and octal

    /// Adds the ranges of secrets in lists of decimal numbers, which may be signed as in Java, or of
    /// octal numbers with three digits.
    mutating func addNumbers(
        _ bytes: [UInt8], _ depth: Int, to found: inout [Range<Int>]
    ) {
        var decimal = NumberList()
        var octal = NumberList()
        var signed = NumberList()
        var offset = 0
        while offset < bytes.count {
            guard ASCIIText.isDigit(bytes[offset]) else {
                offset += 1
                continue
            }
            decimal.removeAll()
            octal.removeAll()
            signed.removeAll()
            var hasNegative = false
            var next = offset
            while let number = number(bytes, next) {
                decimal.add(number.decimal, next..<number.end)
                octal.add(number.octal, next..<number.end)
                let isNegative = next > 0 && bytes[next - 1] == UInt8(ascii: "-")
                signed.add(isNegative ? 0 &- number.decimal : number.decimal, next..<number.end)
                hasNegative = hasNegative || isNegative
                offset = number.end
                next = Self.afterSeparators(bytes, number.end)
                if next == number.end { break }
            }
            add(decimal, depth, to: &found)
            add(octal, depth, to: &found)
            if hasNegative { add(signed, depth, to: &found) }
            // Skip the rest of a number that is too long.
            while offset < bytes.count, ASCIIText.isDigit(bytes[offset]) { offset += 1 }
        }
    }

    /// Reads a number of at most three digits; nil if there is none.
    private func number(
        _ bytes: [UInt8], _ start: Int
    ) -> (decimal: UInt8, octal: UInt8, end: Int)? {
        var end = start
        var decimal = 0
        var octal = 0
        while end < bytes.count, end < start + 4, ASCIIText.isDigit(bytes[end]) {
            let digit = Int(bytes[end] - UInt8(ascii: "0"))
            decimal = decimal * 10 + digit
            octal = digit < 8 ? octal * 8 + digit : 256
            end += 1
        }
        guard (1...3).contains(end - start) else { return nil }
        return (UInt8(exactly: decimal) ?? 0, UInt8(exactly: octal) ?? 0, end)
    }
}
