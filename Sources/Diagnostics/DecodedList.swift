/// Bytes decoded from hexadecimal, with the range of each byte's digits in the text.
struct DecodedList {
    var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

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
    /// Adds the ranges of secrets in a list.
    mutating func add(_ list: DecodedList, _ depth: Int, to found: inout [Range<Int>]) {
        guard list.bytes.count >= SecretSpelling.encodedBytesMin else { return }
        found += ranges(in: list.bytes, depth: depth + 1).map(list.range)
    }
}
