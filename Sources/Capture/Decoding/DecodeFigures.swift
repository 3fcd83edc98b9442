import Diagnostics
import LineProtocol

/// A formatter that shows conversation statistics as tables.
struct DecodeFigures {
    let dialect: Dialect

    init(_ dialect: Dialect) { self.dialect = dialect }

    /// Returns a table for each dialect that has lines.
    static func text(_ dialects: [Dialect], _ figures: [ConversationStatistics]) -> String {
        let spoken = dialects.indices.filter { figures[$0].hasLines }
        return spoken.map { index in
            (spoken.count > 1 ? "\(dialects[index].name)\n" : "")
                + DecodeFigures(dialects[index]).text(figures[index])
        }.joined(separator: "\n")
    }

    /// Returns a table with one row per command, most frequent first.
    func text(_ figures: ConversationStatistics) -> String {
        let signatures = dialect.commands.signatures
        let indices = signatures.indices.filter { figures.lines[$0] > 0 }
            .sorted { (figures.lines[$1], $0) < (figures.lines[$0], $1) }
        let hasTimes = indices.contains { figures.latency($0) != nil }
        var rows = [["lines", "invalid", "from", "command"]]
        if hasTimes { rows[0] += ["answers", "median ms", "p99 ms", "max ms"] }
        for index in indices {
            var row = [
                String(figures.lines[index]), String(figures.broken[index]),
                Self.side(signatures[index].direction), signatures[index].name,
            ]
            if hasTimes { row += Self.times(figures.latency(index)) }
            rows.append(row)
        }
        if figures.otherLines > 0 {
            rows.append([String(figures.otherLines), "", "", "(unknown or incomplete)"])
        }
        return TextTable.text(rows, words: [2, 3])
    }

    private static func side(_ direction: CommandDirection) -> String {
        switch direction {
        case .client: "client"
        case .server: "server"
        case .both: "either"
        }
    }

    private static func times(_ latency: ConversationStatistics.Latency?) -> [String] {
        guard let latency else { return [] }
        return [String(latency.count)]
            + [latency.medianNanoseconds, latency.p99Nanoseconds, latency.nanosecondsMax].map {
                decimal($0, per: 1_000_000, digits: 3)
            }
    }
}
