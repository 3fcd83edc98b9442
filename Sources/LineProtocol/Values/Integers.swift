/// Parses an optional sign and digits; returns nil if they are invalid or do not fit into 64 bits.
func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var offset = range.lowerBound
    guard offset < range.upperBound else { return nil }
    let sign = bytes[offset]
    if sign == ASCII.minus || sign == ASCII.plus { offset += 1 }
    guard offset < range.upperBound else { return nil }
    // Accumulate a negative number, because the minimum has no positive counterpart.
    var value: Int64 = 0
    while offset < range.upperBound {
        let digit = bytes[offset] &- ASCII.zero
        guard digit < 10 else { return nil }
        let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
        let (next, underflow) = shifted.subtractingReportingOverflow(Int64(digit))
        if overflow || underflow { return nil }
        value = next
        offset += 1
    }
    if sign == ASCII.minus { return value }
    return value == Int64.min ? nil : -value
}

/// Parses a short integer, with at most eight digits and an optional minus sign. Returns nil for
/// anything else, or if too few bytes after it are readable.
@inline(__always)
func shortInteger(_ bytes: UnsafeBufferPointer<UInt8>, _ lower: Int, _ upper: Int) -> Int64? {
    guard lower < upper, lower &+ 9 <= bytes.count, let base = bytes.baseAddress else { return nil }
    let isNegative = unsafe base[lower] == ASCII.minus
    let first = isNegative ? lower &+ 1 : lower
    let count = upper &- first
    guard count > 0, count <= 8 else { return nil }
    let text = unsafe UnsafeRawPointer(base + first).loadUnaligned(as: UInt64.self)
    guard let value = Word.digits(UInt64(littleEndian: text), count: count) else { return nil }
    return isNegative ? 0 &- value : value
}

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
