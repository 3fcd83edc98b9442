/// A decimal number, exact: `unscaled` × 10^-`scale`.
public struct Decimal64: Sendable, Hashable {
    /// The digits without the point.
    public var unscaled: Int64
    /// Digits after the decimal point, at most ``scaleMax``.
    public var scale: Int

    /// The number `unscaled` × 10^-`scale`.
    public init(unscaled: Int64, scale: Int) {
        self.unscaled = unscaled
        self.scale = scale
    }

    /// The most digits after the point.
    public static let scaleMax = 18

    /// The number written in `range`: digits, at most one point between digits, an optional sign.
    /// Nil if it is written otherwise or does not fit.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var place = range.lowerBound
        var isNegative = false
        if place < range.upperBound, bytes[place] == ASCII.minus || bytes[place] == ASCII.plus {
            isNegative = bytes[place] == ASCII.minus
            place += 1
        }
        var point: Int?
        // Counted downward, because the smallest number has no positive counterpart.
        var value: Int64 = 0
        let first = place
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == ASCII.dot, point == nil, place > first {
                point = place
            } else {
                guard ASCII.isDigit(byte) else { return nil }
                let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
                let (next, underflow) =
                    shifted.subtractingReportingOverflow(Int64(byte - ASCII.zero))
                if overflow || underflow { return nil }
                value = next
            }
            place += 1
        }
        scale = point.map { range.upperBound - $0 - 1 } ?? 0
        guard place > first, point == nil || scale > 0, scale <= Self.scaleMax,
            isNegative || value != Int64.min
        else { return nil }
        unscaled = isNegative ? value : -value
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
