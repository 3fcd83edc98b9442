// Measures the codec against a loop over memchr in C: same lines, same run, turn by turn.

import CReference
import LineProtocol

func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return left ? blanks + text : text + blanks
}

func shown(_ value: Double, digits: Int) -> String {
    var unit = 1.0
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((value * unit).rounded())
    let fraction = String(scaled % Int(unit))
    return digits == 0
        ? String(scaled)
        : "\(scaled / Int(unit))." + String(repeating: "0", count: digits - fraction.count)
            + fraction
}

func show(_ measurement: Measurement) {
    let last = measurement.rounds.count - 1
    let spread =
        "\(shown(measurement.rounds[last / 10], digits: 1))–"
        + shown(measurement.rounds[last - last / 10], digits: 1)
    let ratio =
        measurement.reference.isEmpty
        ? "" : shown(measurement.ratios[measurement.ratios.count / 2], digits: 2) + " x"
    print(
        padded("  " + measurement.name, 40),
        padded(shown(measurement.median, digits: 1), 7, left: true),
        padded(spread, 14, left: true), padded(ratio, 8, left: true),
        padded(shown(measurement.allocationsPerLine, digits: 4), 12, left: true))
}

for corpus in [Corpus.livechat, .irc] {
    let perLine = Double(corpus.bytes.count) / Double(corpus.lineCount)
    print(
        "\(corpus.name): \(corpus.lineCount) lines a pass, \(shown(perLine, digits: 1)) bytes a line, "
            + "\(Bench.roundCount) rounds in turns")
    print(
        padded("", 40), padded("ns/line", 7, left: true), padded("p10–p90", 14, left: true),
        padded("ratio", 8, left: true), padded("allocs/line", 12, left: true))
    let results = Bench.measure(workloads(of: corpus))
    for measurement in results { show(measurement) }
    print()
}
