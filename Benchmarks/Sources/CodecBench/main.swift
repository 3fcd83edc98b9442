// Measures the codec against a loop over memchr in C: same lines, same run, turn by turn.

import Measuring

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
        allocates = allocates || measurement.allocationsPerOperation > 0
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
