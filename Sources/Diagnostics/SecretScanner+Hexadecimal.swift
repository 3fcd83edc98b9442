/// Bytes decoded from hexadecimal, with the range of each byte's digits in the text.
private struct DecodedList {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
    }

    mutating func add(_ byte: UInt8, _ range: Range<Int>) {
        bytes.append(byte)
        ranges.append(range)
    }

    /// The same bytes in the opposite order.
    var reversed: DecodedList {
        var list = self
        list.bytes.reverse()
        list.ranges.reverse()
        return list
    }

    /// Returns the part of the text that contains these bytes.
    func range(_ part: Range<Int>) -> Range<Int> {
        let (first, last) = (ranges[part.lowerBound], ranges[part.upperBound - 1])
        return min(first.lowerBound, last.lowerBound)..<max(first.upperBound, last.upperBound)
    }
}

extension SecretScanner {
    /// Lengths of numbers that may have their least significant byte first, such as the value of a
    /// register.
    private static let longNumberBytes = 9...16
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

    static func afterSeparators(_ bytes: [UInt8], _ start: Int) -> Int {
        let limit = min(bytes.count, start + separatorsMax)
        var offset = start
        while offset < limit, isSeparator(bytes[offset]) { offset += 1 }
        return offset
    }

    /// Adds the ranges of secrets in a list.
    private mutating func add(_ list: DecodedList, _ depth: Int, to found: inout [Range<Int>]) {
        guard list.bytes.count >= SecretSpelling.encodedBytesMin else { return }
        found += ranges(in: list.bytes, depth: depth + 1).map(list.range)
        // Lists contain shorter numbers.
        if Self.longNumberBytes.contains(list.bytes.count) {
            let reversed = list.reversed
            found += ranges(in: reversed.bytes, depth: Self.depthMax).map(reversed.range)
        }
    }

    /// Adds the ranges of secrets in hexadecimal, with or without separators and `0x` or `U+`.
    mutating func addHexadecimal(
        _ bytes: [UInt8], _ depth: Int, to found: inout [Range<Int>]
    ) {
        var list = DecodedList()
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
        _ bytes: [UInt8], at start: Int, _ list: inout DecodedList, _ depth: Int,
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
            let digits = next + (isPrefix(bytes[next], bytes[next + 1]) ? 2 : 0)
            guard digits + 1 < bytes.count, let high = ASCIIText.digit(bytes[digits]),
                let low = ASCIIText.digit(bytes[digits + 1])
            else { break }
            end = digits + 2
            add(UInt8(high << 4 | low), next..<end)
            next = afterSeparators(bytes, end)
        }
        return end
    }

    @inline(__always)
    private static func isPrefix(_ first: UInt8, _ second: UInt8) -> Bool {
        first == UInt8(ascii: "0") && second | 0x20 == UInt8(ascii: "x")
            || first | 0x20 == UInt8(ascii: "u") && second == UInt8(ascii: "+")
    }
}
