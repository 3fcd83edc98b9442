/// A JSON number in the form `digits` × 10^`exponent`.
struct JSONNumber: Equatable {
    private var digits: Int64 = 0
    private var exponent = 0

    /// Parses a number, whose syntax must already have been checked. Returns nil if it has more
    /// digits than fit into 64 bits, not counting trailing zeros, or if its exponent is too large.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var offset = range.lowerBound
        let isNegative = bytes[offset] == ASCII.minus
        if isNegative { offset += 1 }
        var zeros = 0
        var isFraction = false
        loop: while offset < range.upperBound {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case ASCII.dot: isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard let shift = Self.power(bytes, offset..<range.upperBound),
                    shift.magnitude < 100_000
                else {
                    if digits == 0 { break loop }
                    return nil
                }
                exponent += Int(shift)
                break loop
            case ASCII.zero where digits != 0:
                zeros += 1
                if isFraction { exponent -= 1 }
            default:
                if isFraction { exponent -= 1 }
                guard byte != ASCII.zero else { continue loop }
                for _ in 0..<zeros { guard shiftIn(0) else { return nil } }
                zeros = 0
                guard shiftIn(Int64(byte - ASCII.zero)) else { return nil }
            }
        }
        exponent += zeros
        if digits == 0 { exponent = 0 }
        if !isNegative {
            guard digits != .min else { return nil }
            digits = -digits
        }
    }

    private static func power(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        LineProtocol.integer(bytes, range)
    }

    /// Appends a digit to the (negative) number; returns false if it does not fit.
    private mutating func shiftIn(_ digit: Int64) -> Bool {
        let (shifted, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (next, underflow) = shifted.subtractingReportingOverflow(digit)
        digits = next
        return !overflow && !underflow
    }

    /// The number as an integer; nil if it is not whole or does not fit into 64 bits.
    var integer: Int64? {
        guard exponent >= 0 else { return nil }
        return scaled(by: exponent)
    }

    var decimal: Decimal64? {
        if exponent >= 0 { return scaled(by: exponent).map { Decimal64(unscaled: $0, scale: 0) } }
        guard -exponent <= Decimal64.scaleMax else { return nil }
        return Decimal64(unscaled: digits, scale: -exponent)
    }

    /// The canonical form, which is the same for equal numbers.
    var canonical: [UInt8] {
        exponent == 0
            ? Array(String(digits).utf8) : Array("\(digits)e\(exponent)".utf8)
    }

    private func scaled(by power: Int) -> Int64? {
        guard digits != 0, power > 0 else { return digits }
        guard power < 19 else { return nil }
        var result = digits
        for _ in 0..<power {
            let (next, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = next
        }
        return result
    }
}
