/// An incremental search for the end of a value in RESP, the Redis protocol.
///
/// A value is a line that starts with a type byte. The line of a bulk string gives the number of
/// bytes that follow, and the line of an aggregate gives the number of values that follow.
struct RESPScan: Sendable, Equatable {
    /// Number of bytes of complete elements.
    private(set) var offset = 0
    /// Number of unfinished elements, including those not yet started.
    private(set) var missing = 1
    /// Number of bytes after `offset` already searched for a line end.
    private var searched = 0

    /// Result of searching the bytes received so far.
    enum Progress: Equatable {
        /// More bytes are needed. The associated value is the end of the current element, relative
        /// to the start of the value, or nil if unknown.
        case more(Int?)
        /// The value ends at this offset.
        case end(Int)
        /// A line is invalid. The line ends at this offset.
        case invalid(Int)
    }

    /// Returns true if a value may start with this byte. Any other byte starts an inline command.
    static func isType(_ byte: UInt8) -> Bool { Kind(byte) != nil }

    /// The kind of a value, which determines the meaning of its first line.
    enum Kind: Equatable {
        /// The line holds the value.
        case line
        /// The line holds the number of bytes.
        case bulk
        /// The line holds a count, and `count` × `factor` values follow. The factor of a map is 2.
        case aggregate(factor: Int)
        /// An aggregate that precedes the value it belongs to.
        case attribute

        init?(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"),
                UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "("):
                self = .line
            case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="): self = .bulk
            case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: ">"):
                self = .aggregate(factor: 1)
            case UInt8(ascii: "%"): self = .aggregate(factor: 2)
            case UInt8(ascii: "|"): self = .attribute
            default: return nil
            }
        }
    }

    /// Maximum number of elements of an aggregate.
    static let elementsMax = 1 << 30

    /// Continues the search in the value that starts at `start` in `bytes`.
    mutating func advance(_ bytes: Span<UInt8>, from start: Int) -> Progress {
        while missing > 0 {
            let lower = start + offset
            guard let end = firstOffset(of: ASCII.lf, in: bytes, (lower + searched)..<bytes.count)
            else {
                searched = bytes.count - lower
                return .more(nil)
            }
            let text = (lower + 1)..<max(lower + 1, Self.withoutCR(bytes, end, lower))
            guard end > lower, let kind = Kind(bytes[lower]) else { return .invalid(end + 1) }
            var upper = end + 1
            switch kind {
            case .line: break
            case .bulk:
                guard let count = Self.count(bytes, text) else { return .invalid(end + 1) }
                if let count { upper += count + 2 }
                if upper > bytes.count {
                    searched = end - lower
                    return .more(upper - start)
                }
            case .aggregate(let factor):
                guard let count = Self.count(bytes, text) else { return .invalid(end + 1) }
                missing += (count ?? 0) * factor
            case .attribute:
                guard let count = Self.count(bytes, text) else { return .invalid(end + 1) }
                missing += (count ?? 0) * 2 + 1
            }
            missing -= 1
            offset = upper - start
            searched = 0
        }
        return .end(offset + start)
    }

    /// Resets the offsets after the bytes of complete elements have been removed.
    mutating func forgetElements() {
        offset = 0
        searched = 0
    }

    /// Counts the current element as complete, because its bytes are skipped.
    mutating func skipElement() {
        missing -= 1
        searched = 0
    }

    /// Returns the end of a line's text: the offset of its LF or of the CR before it.
    static func withoutCR(_ bytes: Span<UInt8>, _ lineFeed: Int, _ lower: Int) -> Int {
        lineFeed > lower && bytes[lineFeed - 1] == ASCII.cr ? lineFeed - 1 : lineFeed
    }

    /// Parses a number of bytes or elements. Returns `.some(nil)` for -1, the null value of RESP2,
    /// and nil if the text is invalid.
    static func count(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Int?? {
        if text.count == 2, bytes[text.lowerBound] == ASCII.minus,
            bytes[text.lowerBound + 1] == ASCII.zero + 1
        {
            return .some(nil)
        }
        guard let count = decimalNumber(bytes, text), count <= elementsMax else { return nil }
        return count
    }
}
