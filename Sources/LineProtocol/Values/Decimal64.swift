/// An exact decimal number: `unscaled` × 10^-`scale`.
public struct Decimal64: Sendable, Hashable {
    /// The digits without the decimal point.
    public var unscaled: Int64
    /// Number of digits after the decimal point, at most ``scaleMax``.
    public var scale: Int

    /// Creates a number.
    public init(unscaled: Int64, scale: Int) {
        self.unscaled = unscaled
        self.scale = scale
    }

    /// The maximum number of digits after the decimal point.
    public static let scaleMax = 18

    /// Parses a number: an optional sign, then digits with at most one decimal point between them.
    /// Returns nil if the input is invalid or the number does not fit.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var offset = range.lowerBound
        var isNegative = false
        if offset < range.upperBound, bytes[offset] == ASCII.minus || bytes[offset] == ASCII.plus {
            isNegative = bytes[offset] == ASCII.minus
            offset += 1
        }
        var point: Int?
        // Accumulate a negative number, because the minimum has no positive counterpart.
        var value: Int64 = 0
        let first = offset
        while offset < range.upperBound {
            let byte = bytes[offset]
            if byte == ASCII.dot, point == nil, offset > first {
                point = offset
            } else {
                guard ASCII.isDigit(byte) else { return nil }
                let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
                let (next, underflow) =
                    shifted.subtractingReportingOverflow(Int64(byte - ASCII.zero))
                if overflow || underflow { return nil }
                value = next
            }
            offset += 1
        }
        scale = point.map { range.upperBound - $0 - 1 } ?? 0
        guard offset > first, point == nil || scale > 0, scale <= Self.scaleMax,
            isNegative || value != Int64.min
        else { return nil }
        unscaled = isNegative ? value : -value
    }

    /// The number as written on the wire.
    public var bytes: [UInt8] {
        var digits = Array(String(unscaled.magnitude).utf8)
        if scale > 0 {
            while digits.count <= scale { digits.insert(ASCII.zero, at: 0) }
            digits.insert(ASCII.dot, at: digits.count - scale)
        }
        return unscaled < 0 ? [ASCII.minus] + digits : digits
    }
}
