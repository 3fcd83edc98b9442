/// The whole number written in `range`: digits after an optional sign. Nil if it is written otherwise or
/// does not fit 64 bits.
func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var place = range.lowerBound
    guard place < range.upperBound else { return nil }
    let sign = bytes[place]
    if sign == ASCII.minus || sign == ASCII.plus { place += 1 }
    guard place < range.upperBound else { return nil }
    // Counted downward, because the smallest number has no positive counterpart.
    var value: Int64 = 0
    while place < range.upperBound {
        let digit = bytes[place] &- ASCII.zero
        guard digit < 10 else { return nil }
        let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
        let (next, underflow) = shifted.subtractingReportingOverflow(Int64(digit))
        if overflow || underflow { return nil }
        value = next
        place += 1
    }
    if sign == ASCII.minus { return value }
    return value == Int64.min ? nil : -value
}

/// Appends `value` in decimal.
func append(_ value: Int64, to target: inout [UInt8]) {
    if value < 0 { target.append(ASCII.minus) }
    var rest = value.magnitude
    let first = target.count
    repeat {
        target.append(ASCII.zero + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
    } while rest > 0
    target[first...].reverse()
}
