import Diagnostics
import Results
import Session

/// Peer check: another client receives exactly the messages that were sent, each of them once. Any
/// difference is classified.
struct PeerBytes {
    /// A difference between the messages sent and the messages that a peer received.
    enum Difference: Hashable {
        case lost, duplicated, reordered
        case truncated(at: Int)
        case mutated(at: Int)
        case longer(by: Int)
        /// One message arrived as several.
        case split(Int)
        /// Several messages arrived as one.
        case merged
        /// A message or another line arrived that was not expected.
        case extra([UInt8])

        var kind: String {
            switch self {
            case .lost: "lost"
            case .duplicated: "duplicated"
            case .reordered: "reordered"
            case .truncated: "truncated"
            case .mutated: "mutated"
            case .longer: "longer"
            case .split: "split"
            case .merged: "merged"
            case .extra: "extra-command"
            }
        }
    }

    /// Returns the first difference between sent and received messages; nil if there is none.
    static func difference(said: [[UInt8]], heard: [[UInt8]]) -> Difference? {
        if said == heard { return nil }
        if heard.isEmpty { return .lost }
        if said.count == heard.count {
            if said.sorted(by: less) == heard.sorted(by: less) { return .reordered }
            for (said, heard) in zip(said, heard) where said != heard {
                return difference(said, heard)
            }
        }
        let whole = Array(said.joined())
        if said.count > 1, heard.count == 1, heard[0].starts(with: said[0]),
            heard[0].count > said[0].count
        {
            return .merged
        }
        if heard.count > said.count {
            if Array(heard.joined()) == whole { return .split(heard.count) }
            let unknown = heard.first { !said.contains($0) }
            if let unknown { return .extra(unknown) }
            return .duplicated
        }
        return .lost
    }

    private static func difference(_ said: [UInt8], _ heard: [UInt8]) -> Difference {
        let common = zip(said, heard).prefix { $0 == $1 }.count
        if common == heard.count { return .truncated(at: common) }
        if common == said.count { return .longer(by: heard.count - common) }
        return .mutated(at: common)
    }

    private static func less(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }

    /// Returns the messages that `recipient` has received from `speaker` since the first stimulus, and
    /// the other lines it has received since. Unsolicited lines and answers to probes are left out.
    static func heard(
        by recipient: String, from speaker: String, room: Int?, in evidence: inout Evidence
    ) -> (texts: [[UInt8]], others: [TranscriptEntry]) {
        var texts: [[UInt8]] = []
        var others: [TranscriptEntry] = []
        let first = evidence.stimuli.first ?? 0
        for (entry, step) in evidence.entries
        where step >= first && entry.operatorName == recipient && entry.kind == .received {
            if let text = evidence.text(entry, from: speaker, room: room) {
                texts.append(text)
            } else if entry.role == .plain, !evidence.isUnasked(entry),
                !ScriptedFinding.isProbe(evidence.testCase.steps[step])
            {
                others.append(entry)
            }
        }
        return (texts, others)
    }

    /// Returns a finding if a line was executed that should not have been. The line was executed if
    /// `recipient` received the message `text` from `speaker` or, if `text` is nil, any message from
    /// `speaker`.
    ///
    /// - Parameters:
    ///   - kind: Kind of the finding.
    ///   - expected: Description of the expected behaviour.
    static func ran(
        _ text: [UInt8]? = nil, by speaker: String, recipient: String = "bob", room: Int?,
        as kind: String = "extra-command", expected: String, in evidence: inout Evidence
    ) -> Finding? {
        let heard = heard(by: recipient, from: speaker, room: room, in: &evidence).texts
        let unwanted = text.map { text in heard.filter { $0 == text } } ?? heard
        guard !unwanted.isEmpty else { return nil }
        return Finding(
            kind, expected: expected,
            got: "it was executed: \(recipient) received \(shown(unwanted)) from \(speaker)")
    }

    /// Judges whether `recipient` received exactly these messages.
    static func judge(
        _ said: [[UInt8]], by speaker: String, recipient: String, room: Int?,
        in evidence: inout Evidence
    ) -> Judgement {
        let heard = heard(by: recipient, from: speaker, room: room, in: &evidence)
        let difference =
            difference(said: said, heard: heard.texts)
            ?? heard.others.first.map { .extra($0.bytes) }
        guard let difference else { return evidence.scripted() }
        // If no messages arrived because the connection was closed or the server does not answer,
        // report that instead.
        if evidence.result.outcome == .failed, case .failed(let finding) = evidence.scripted(),
            ["closed", "wedged"].contains(finding.kind), heard.texts.isEmpty
        {
            return .failed(finding)
        }
        return .failed(
            Finding(
                difference.kind, expected: "\(recipient) receives \(shown(said)) and nothing else",
                got: words(difference, heard.texts)))
    }

    private static func words(_ difference: Difference, _ heard: [[UInt8]]) -> String {
        let came = heard.isEmpty ? "nothing" : shown(heard)
        return switch difference {
        case .lost:
            heard.isEmpty ? "the message never arrived" : "not all messages arrived: \(came)"
        case .duplicated: "arrived more than once: \(came)"
        case .reordered: "arrived out of order: \(came)"
        case .truncated(let offset): "truncated at byte \(offset): \(came)"
        case .mutated(let offset): "changed at byte \(offset): \(came)"
        case .longer(let count): "\(count) bytes longer: \(came)"
        case .split(let count): "split into \(count) messages: \(came)"
        case .merged: "several messages arrived as one: \(came)"
        case .extra(let line): "an extra line arrived: `\(short(line))`"
        }
    }

    /// Formats messages as `"a", "b"`.
    static func shown(_ texts: [[UInt8]]) -> String {
        let parts = texts.prefix(4).map { "\"\(short($0))\"" }
        let more = texts.count > 4 ? " and \(texts.count - 4) more" : ""
        return parts.joined(separator: ", ") + more
    }

    private static func short(_ bytes: [UInt8]) -> String {
        guard bytes.count > 60 else { return escapedForDisplay(bytes) }
        return escapedForDisplay(bytes.prefix(40)) + "… (\(bytes.count) bytes)"
    }
}
