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
    static func difference(sent: [[UInt8]], received: [[UInt8]]) -> Difference? {
        if sent == received { return nil }
        if received.isEmpty { return .lost }
        if sent.count == received.count {
            if sent.sorted(by: less) == received.sorted(by: less) { return .reordered }
            for (sent, received) in zip(sent, received) where sent != received {
                return difference(sent, received)
            }
        }
        let whole = Array(sent.joined())
        if sent.count > 1, received.count == 1, received[0].starts(with: sent[0]),
            received[0].count > sent[0].count
        {
            return .merged
        }
        if received.count > sent.count {
            if Array(received.joined()) == whole { return .split(received.count) }
            let unknown = received.first { !sent.contains($0) }
            if let unknown { return .extra(unknown) }
            return .duplicated
        }
        return .lost
    }

    private static func difference(_ sent: [UInt8], _ received: [UInt8]) -> Difference {
        let common = zip(sent, received).prefix { $0 == $1 }.count
        if common == received.count { return .truncated(at: common) }
        if common == sent.count { return .longer(by: received.count - common) }
        return .mutated(at: common)
    }

    private static func less(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }

    /// Returns the messages that `recipient` has received from `speaker` since the first stimulus, and
    /// the other lines it has received since. Unsolicited lines and answers to probes are left out.
    static func received(
        by recipient: String, from speaker: String, room: Int?, in evidence: inout Evidence
    ) -> (texts: [[UInt8]], others: [TranscriptEntry]) {
        var texts: [[UInt8]] = []
        var others: [TranscriptEntry] = []
        let first = evidence.stimuli.first ?? 0
        for (entry, step) in evidence.entries
        where step >= first && entry.operatorName == recipient && entry.kind == .received {
            if let text = evidence.text(entry, from: speaker, room: room) {
                texts.append(text)
            } else if entry.role == .plain, !evidence.isUnsolicited(entry),
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
        let received = received(by: recipient, from: speaker, room: room, in: &evidence).texts
        let unwanted = text.map { text in received.filter { $0 == text } } ?? received
        guard !unwanted.isEmpty else { return nil }
        return Finding(
            kind, expected: expected,
            got: "it was executed: \(recipient) received \(shown(unwanted)) from \(speaker)")
    }

    /// Judges whether `recipient` received exactly these messages.
    ///
    /// - Parameter inOrder: Whether the messages must arrive in this order.
    static func judge(
        _ sent: [[UInt8]], by speaker: String, recipient: String, room: Int?,
        inOrder: Bool = false, in evidence: inout Evidence
    ) -> Judgement {
        let received = received(by: recipient, from: speaker, room: room, in: &evidence)
        var difference = difference(sent: sent, received: received.texts)
        if difference == .reordered, !inOrder { difference = nil }
        difference = difference ?? received.others.first.map { .extra($0.bytes) }
        guard let difference else { return evidence.scripted() }
        // If no messages arrived because the connection was closed or the server does not answer,
        // report that instead.
        if evidence.result.outcome == .failed, case .failed(let finding) = evidence.scripted(),
            ["closed", "wedged"].contains(finding.kind), received.texts.isEmpty
        {
            return .failed(finding)
        }
        return .failed(
            Finding(
                difference.kind, expected: "\(recipient) receives \(shown(sent)) and nothing else",
                got: words(difference, received.texts)))
    }

    private static func words(_ difference: Difference, _ received: [[UInt8]]) -> String {
        let came = received.isEmpty ? "nothing" : shown(received)
        return switch difference {
        case .lost:
            received.isEmpty ? "the message never arrived" : "not all messages arrived: \(came)"
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
