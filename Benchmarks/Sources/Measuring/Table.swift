/// Pads `text` to `width` characters on the right or the left.
package func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return right ? padding + text : text + padding
}

/// Formats `value` with a number of decimal places.
package func shown(_ value: Double, digits: Int) -> String {
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((value * unit).rounded())
    guard digits > 0 else { return String(scaled) }
    let fraction = String(scaled % Int(unit))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(scaled / Int(unit)).\(zeros)\(fraction)"
}

/// Formats one row of the table.
package func row(_ name: String, _ columns: [String]) -> String {
    let widths = [10, 20, 8, 13]
    return padded("  " + name, 42)
        + zip(columns, widths).map { padded($0, $1, right: true) }.joined()
}

package func row(_ measurement: Measurement) -> String {
    func time(_ nanoseconds: Double) -> String {
        shown(nanoseconds, digits: nanoseconds < 1_000 ? 1 : 0)
    }
    let rounds = measurement.rounds
    let tenth = rounds.count / 10
    let digits = measurement.ratio < 0.01 ? 5 : 2
    let ratio = measurement.reference.isEmpty ? "" : shown(measurement.ratio, digits: digits)
    return row(
        measurement.name,
        [
            time(measurement.median),
            "\(time(rounds[tenth]))-\(time(rounds[rounds.count - 1 - tenth]))",
            ratio, shown(measurement.allocationsPerOperation, digits: 4),
        ])
}
