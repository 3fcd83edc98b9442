/// A decimal number, exact: `unscaled` × 10^-`scale`.
public struct Decimal64: Sendable, Hashable {
    public var unscaled: Int64
    /// Digits after the decimal point, 0...18.
    public var scale: Int

    public init(unscaled: Int64, scale: Int) {
        self.unscaled = unscaled
        self.scale = scale
    }

    /// The number written in `range`: digits, at most one point between digits, an optional sign.
    /// Nil if it is written otherwise or needs more than 18 digits.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var place = range.lowerBound
        var isNegative = false
        if place < range.upperBound, bytes[place] == ASCII.minus || bytes[place] == 0x2B {
            isNegative = bytes[place] == ASCII.minus
            place += 1
        }
        var digits = 0
        var fraction: Int?
        var value: Int64 = 0
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == ASCII.dot, fraction == nil, digits > 0 {
                fraction = 0
            } else {
                guard ASCII.isDigit(byte), digits < 18 else { return nil }
                value = value * 10 + Int64(byte - ASCII.zero)
                digits += 1
                if let count = fraction { fraction = count + 1 }
            }
            place += 1
        }
        guard digits > 0, fraction != 0 else { return nil }
        unscaled = isNegative ? -value : value
        scale = fraction ?? 0
    }

    /// The number as it is sent.
    public var bytes: [UInt8] {
        var digits = Array(String(unscaled.magnitude).utf8)
        if scale > 0 {
            while digits.count <= scale { digits.insert(ASCII.zero, at: 0) }
            digits.insert(ASCII.dot, at: digits.count - scale)
        }
        return unscaled < 0 ? [ASCII.minus] + digits : digits
    }
}
