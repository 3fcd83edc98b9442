// Measures the codec against a loop over memchr in C: same lines, same run, turn by turn.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// `text` in a column of `width` characters, at its left or its right.
func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return right ? blanks + text : text + blanks
}

/// `value` with one or more digits after the point.
func shown(_ value: Double, digits: Int) -> String {
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((value * unit).rounded())
    let fraction = String(scaled % Int(unit))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(scaled / Int(unit)).\(zeros)\(fraction)"
}

/// One row of the table.
func row(_ name: String, _ columns: [String]) -> String {
    let widths = [9, 15, 8, 13]
    return padded("  " + name, 38)
        + zip(columns, widths).map { padded($0, $1, right: true) }.joined()
}

func row(_ measurement: Measurement) -> String {
    let rounds = measurement.rounds
    let tenth = rounds.count / 10
    let ratio = measurement.reference.isEmpty ? "" : shown(measurement.ratio, digits: 2)
    return row(
        measurement.name,
        [
            shown(measurement.median, digits: 1),
            "\(shown(rounds[tenth], digits: 1))-\(shown(rounds[rounds.count - 1 - tenth], digits: 1))",
            ratio, shown(measurement.allocationsPerLine, digits: 4),
        ])
}

print(
    """
    CPU time of one thread, medians of \(Bench.roundCount) rounds taken in turns. Ratios are to the C loop that does
    as much of the work as C does: framing to memchr for line ends, the rest to memchr for line ends and
    separators, with places stored.

    """)
/// Which parts are wanted: by default all, else `livechat`, `irc`, `commands`.
let wanted = CommandLine.arguments.dropFirst()
func isWanted(_ part: String) -> Bool { wanted.isEmpty || wanted.contains(part) }

var allocates = false
for corpus in [Corpus.livechat, .irc] where isWanted(corpus.name) {
    let perLine = Double(corpus.bytes.count) / Double(corpus.lineCount)
    print(
        "\(corpus.name): \(corpus.lineCount) lines a pass, \(shown(perLine, digits: 1)) bytes a line, "
            + "in reads of \(corpus.bytes.count) bytes")
    print(row("", ["ns/line", "p10-p90", "ratio", "allocs/line"]))
    for measurement in Bench.measure(workloads(of: corpus)) {
        print(row(measurement))
        allocates = allocates || measurement.allocationsPerLine > 0
    }
    print()
}
if isWanted("commands") {
    print(
        "commands: what types add in each direction; reading the lines of livechat, writing its messages"
    )
    print(row("", ["ns/line", "p10-p90", "ratio", "allocs/line"]))
    for measurement in Bench.measure(commandWorkloads(.livechat)) { print(row(measurement)) }
    print()
}
if allocates {
    print("FAILED: something is allocated for each line")
    exit(1)
}
