// Compares the codec with a memchr loop in C on the same lines, alternating in one run.

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
    CPU time of one thread; medians of \(Bench.roundCount) alternating rounds. Ratios are relative to a C loop: for
    framing, memchr for line ends; for the rest, memchr for line ends and separators, or a scan for
    JSON tokens, storing their offsets.

    """)
/// Parts to run: `livechat`, `irc`, `jsonl`, `commands`; all if empty.
let wanted = CommandLine.arguments.dropFirst()
func isWanted(_ part: String) -> Bool { wanted.isEmpty || wanted.contains(part) }

var allocates = false
for corpus in [Corpus.livechat, .irc, .jsonl] where isWanted(corpus.name) {
    let perLine = Double(corpus.bytes.count) / Double(corpus.lineCount)
    print(
        "\(corpus.name): \(corpus.lineCount) lines per pass, \(shown(perLine, digits: 1)) bytes per line, "
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
        "commands: cost of typed commands in each direction, for the lines and messages of livechat"
    )
    print(row("", ["ns/line", "p10-p90", "ratio", "allocs/line"]))
    for measurement in Bench.measure(commandWorkloads(.livechat)) { print(row(measurement)) }
    print()
}
if allocates {
    print("FAILED: processing a line allocates memory")
    exit(1)
}
