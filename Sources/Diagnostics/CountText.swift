/// Formats a duration: `412 µs`, `3.1 ms`, `128 ms`, `1.24 s`, `2 min 5 s`.
package func durationText(_ nanoseconds: Int64) -> String {
    let time = max(nanoseconds, 0)
    switch time {
    case ..<999_500: return "\(decimal(time, per: 1_000, digits: 0)) µs"
    case ..<9_950_000: return "\(decimal(time, per: 1_000_000, digits: 1)) ms"
    case ..<999_500_000: return "\(decimal(time, per: 1_000_000, digits: 0)) ms"
    case ..<9_995_000_000: return "\(decimal(time, per: 1_000_000_000, digits: 2)) s"
    case ..<59_950_000_000: return "\(decimal(time, per: 1_000_000_000, digits: 1)) s"
    default:
        let seconds = (time + 500_000_000) / 1_000_000_000
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
}

/// Formats `value / unit` with `digits` decimal places, rounding half up. Uses integer arithmetic,
/// so that the result does not depend on floating-point rounding.
package func decimal(_ value: Int64, per unit: Int64, digits: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<digits { scale *= 10 }
    let step = max(unit / scale, 1)
    let rounded = value / step + (value % step * 2 >= step ? 1 : 0)
    let whole = rounded / scale
    guard digits > 0 else { return String(whole) }
    let fraction = String(rounded % scale)
    return "\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

/// Formats a count with its noun: `1 scenario`, `2 scenarios`.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// Rounds to the nearest integer, clamped to ±9e18. Returns 0 if the value is not finite.
package func whole(_ value: Double) -> Int64 {
    value.isFinite ? Int64(min(max(value.rounded(), -9e18), 9e18)) : 0
}
