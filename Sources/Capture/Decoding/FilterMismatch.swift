import Diagnostics
import LineProtocol

/// A warning that no line matches the filters. It lists what the capture contains and suggests a
/// fix.
struct FilterMismatch {
    /// Maximum number of names to list.
    private static let namesMax = 5

    let filters: CaptureFilters
    let outcome: DecodeOutcome

    /// True if the filters, including `--bpf` and `--port`, exclude everything in the capture.
    var excludesEverything: Bool {
        if let findings = outcome.findings, outcome.counts.streams.connections > 0 {
            return findings.shown == 0
        }
        return outcome.counts.streams.connections == 0
            && (isRefusedByFilter || !outcome.counts.streams.otherPorts.isEmpty)
    }

    private var isRefusedByFilter: Bool {
        outcome.counts.refusedPackets > 0 && outcome.counts.packets.packets == 0
    }

    /// The warning; nil if the filters do not exclude everything.
    var diagnostic: Diagnostic? {
        guard excludesEverything else { return nil }
        let (requested, there) =
            outcome.counts.streams.connections == 0 ? ofPackets : ofConversation
        return Diagnostic(
            .warning, "capture.no-match", "nothing matches \(requested) in \(there)")
    }

    private var ofPackets: (requested: String, there: String) {
        if isRefusedByFilter {
            let packets = counted(outcome.counts.refusedPackets, "packet")
            return ("--bpf \(quoted(filters.packets ?? ""))", packets)
        }
        let ports = outcome.counts.streams.otherPorts.sorted().map(String.init)
        let requested = filters.ports.map { "--port \($0)" }.joined(separator: " ")
        return (
            requested,
            "\(counted(outcome.counts.packets.packets, "packet")); the capture has traffic on "
                + (ports.count == 1 ? "port " : "ports ") + ports.joined(separator: ", ")
        )
    }

    private var ofConversation: (requested: String, there: String) {
        var requested = filters.commands.map { "--command \(quoted($0))" }
        requested += filters.operators.map { "--operator \(quoted($0))" }
        requested += filters.connections.map { "--connection \($0)" }
        requested += [
            filters.from.map { "--from \($0.text)" }, filters.to.map { "--to \($0.text)" },
        ]
        .compactMap(\.self)
        let counts = outcome.counts
        let there =
            "\(counted(counts.conversation.lines, "line")) on "
            + counted(counts.streams.connections, "connection")
        return (requested.joined(separator: " "), there + hint)
    }

    /// Advice on the first filter that matches nothing.
    private var hint: String {
        guard let findings = outcome.findings else { return "" }
        if !findings.fitting.contains(.connection) {
            let numbers = findings.connections.sorted().map { "#\($0)" }
            return numbers.count == 1
                ? "; the only connection is \(numbers[0])"
                : "; the connections are \(numbers[0]) to \(numbers[numbers.count - 1])"
        }
        if !findings.fitting.contains(.operatorName) {
            let known = findings.operators.map { String(decoding: $0, as: UTF8.self) }
            return hint(filters.operators, known, "operators")
        }
        if !findings.fitting.contains(.command) {
            return hint(filters.commands, Array(findings.commands), "commands")
        }
        if !findings.fitting.contains(.time), let times = findings.times {
            return "; the lines are from \(text(times.lowerBound)) to \(text(times.upperBound))"
        }
        return "; each filter matches something, but nothing matches all of them"
    }

    private func hint(_ requested: [String], _ known: [String], _ what: String) -> String {
        let names = known.sorted()
        for word in requested {
            if let meant = didYouMean(word, among: names) { return "; did you mean `\(meant)`?" }
        }
        guard !names.isEmpty else { return "; there are no \(what)" }
        let others = names.count - Self.namesMax
        return "; the \(what) are \(names.prefix(Self.namesMax).joined(separator: ", "))"
            + (others > 0 ? " and \(others) more" : "")
    }

    private func text(_ time: Int64) -> String {
        String(
            decoding: ValueConversion.bytes(.time(time), .time(.rfc3339)) ?? [], as: UTF8.self)
    }

    private func quoted(_ text: String) -> String {
        text.contains(where: { " '\"".contains($0) }) || text.isEmpty ? "'\(text)'" : text
    }
}
