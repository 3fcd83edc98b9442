import Diagnostics
import LineProtocol
import Results
import Session

/// The answer to a stimulus: everything received before the answer to the next probe.
struct ObservedAnswer {
    /// The kind of answer that a server gave.
    enum Kind: String {
        /// The server sent one of the dialect's refusals.
        case refused
        /// The server sent one or more other lines.
        case answered
        /// The server sent nothing.
        case silent
        /// The server closed the connection, possibly after sending lines.
        case closed
    }

    var kind: Kind
    /// The line to report: the refusal if there is one, otherwise the last line; nil if no line
    /// arrived.
    var line: TranscriptEntry?

    /// Description of the answer, such as `refused with …`.
    var words: String {
        let shown = line.map { "`\(escapedForDisplay($0.bytes))`" }
        return switch kind {
        case .refused: "refused with \(shown ?? "nothing")"
        case .answered: "answered with \(shown ?? "nothing")"
        case .silent: "sent no answer"
        case .closed:
            shown.map { "closed the connection after \($0)" }
                ?? "closed the connection without a message"
        }
    }

    /// Name of the answer's class in listings and baseline files.
    var className: String {
        kind == .closed ? (line == nil ? "close" : "refuseAndClose") : Self.names[kind] ?? ""
    }

    private static let names: [Kind: String] = [
        .refused: "refuse", .answered: "serve", .silent: "ignore",
    ]

    /// Collects the answer to the stimulus at the given step.
    init(_ evidence: inout Evidence, stimulus: Int) {
        let handle = evidence.testCase.steps[stimulus].handle ?? ""
        let next = evidence.stimuli.first { index in
            index > stimulus && evidence.testCase.steps[index].handle == handle
        }
        let hasProbe = evidence.subject.has("probe")
        let refusedProbes = evidence.refusedProbes(by: handle, since: stimulus, before: next)
        var barrier = BarrierAnswers(evidence, handle, stimulus: stimulus, next: next)
        var lines: [TranscriptEntry] = []
        var isClosed = false
        for (entry, step) in evidence.entries
        where step >= stimulus && entry.operatorName == handle {
            let isOver = next.map { step >= $0 } ?? false
            // Answers arrive in order, but a busy server may send them only after the next line has
            // been sent.
            if isOver, !barrier.isOutstanding { break }
            if entry.kind == .closedByPeer || entry.kind == .resetByPeer {
                if isOver { break }
                isClosed = true
            }
            guard entry.kind == .received else { continue }
            // Lines after the barrier are not part of the answer, but a close still is.
            if entry.role == .probe { barrier.answered() }
            if barrier.isOver || barrier.isBefore { continue }
            if !hasProbe, step > stimulus + 1 { break }
            if entry.role == .plain, !evidence.isUnsolicited(entry) { lines.append(entry) }
        }
        // Answers arrive in order, so the refusals of probes come last.
        for _ in 0..<refusedProbes {
            if let last = lines.lastIndex(where: { evidence.isRefusal($0) }) {
                lines.remove(at: last)
            }
        }
        let refusal = lines.first { evidence.isRefusal($0) }
        line = refusal ?? lines.last
        kind =
            isClosed ? .closed : refusal != nil ? .refused : lines.isEmpty ? .silent : .answered
    }
}

/// A tracker for the answers to the probes before and after a stimulus.
private struct BarrierAnswers {
    /// Number of probes sent before the stimulus that have not been answered yet.
    private var before: Int
    /// True if the probe after the stimulus was sent before the next stimulus.
    private let isSent: Bool
    private(set) var isOver = false

    init(_ evidence: Evidence, _ handle: String, stimulus: Int, next: Int?) {
        var before = 0
        var unanswered = 0
        var isSent = false
        for (entry, step) in evidence.entries
        where entry.operatorName == handle && entry.role == .probe {
            switch entry.kind {
            case .sent: unanswered += 1
            case .received: unanswered -= 1
            default: break
            }
            switch entry.kind {
            case .sent where step < stimulus: before += 1
            case .received where step < stimulus: before -= 1
            case .sent where next.map({ step < $0 }) ?? true: isSent = true
            default: break
            }
        }
        // A probe that was never answered, such as one before the login, hides no answer.
        self.before = max(0, before - max(0, unanswered))
        self.isSent = isSent
    }

    /// True if received lines still answer lines that were sent before the stimulus.
    var isBefore: Bool { before > 0 }

    /// True if the probe after the stimulus was sent but has not been answered yet.
    var isOutstanding: Bool { isSent && !isOver }

    mutating func answered() {
        if before > 0 { before -= 1 } else { isOver = true }
    }
}

/// The reaction that the dialect requires to a stimulus.
enum Reaction: Sendable {
    case refusal
    /// No answer, and the connection stays open.
    case silence
    case close
    /// Any answer, and the connection stays open.
    case tolerance
    /// Not specified; the reaction is only recorded.
    case open

    var words: String {
        switch self {
        case .refusal: "a refusal, and the connection stays open"
        case .silence: "no answer, and the connection stays open"
        case .close: "the connection is closed"
        case .tolerance, .open: "the connection stays open"
        }
    }

    /// Compares each answer with this reaction.
    func judge(_ evidence: inout Evidence) -> Judgement {
        var classes: [String] = []
        for stimulus in evidence.stimuli {
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            evidence.note(class: answer.className)
            if let finding = finding(answer, evidence, stimulus) { return .failed(finding) }
            if !classes.contains(answer.className) { classes.append(answer.className) }
            // After an expected close, there is nothing else to check.
            if answer.kind == .closed { return open(classes) ?? .passed }
        }
        guard evidence.result.outcome == .passed else { return evidence.scripted() }
        let timely = Liveness.timely(evidence)
        if case .delayed = timely { return timely }
        return open(classes) ?? .passed
    }

    private func open(_ classes: [String]) -> Judgement? {
        if case .open = self { .observed(classes.joined(separator: ", ")) } else { nil }
    }

    private func finding(
        _ answer: ObservedAnswer, _ evidence: Evidence, _ stimulus: Int
    ) -> Finding? {
        // If errors close the connection, a refusal and a close are equivalent.
        let errorsClose = evidence.subject.errorsClose
        let isAllowed: Bool =
            switch (self, answer.kind) {
            case (.refusal, .refused), (.silence, .silent), (.close, .closed): true
            case (.refusal, .closed): errorsClose
            case (.open, .closed), (.tolerance, .closed): answer.line != nil && errorsClose
            case (.tolerance, _), (.open, _): true
            default: false
            }
        if isAllowed { return nil }
        let handle = evidence.testCase.steps[stimulus].handle
        if answer.kind == .closed, case .open = self,
            answer.line != nil || evidence.mayHaveLostAnswer(handle, stimulus)
        {
            return nil
        }
        let got =
            answer.kind == .closed
            ? Liveness.closing(evidence, handle) ?? answer.words : answer.words
        return Finding(Self.kinds[answer.kind] ?? "other", expected: words, got: got)
    }

    private static let kinds: [ObservedAnswer.Kind: String] = [
        .closed: "closed", .silent: "silent", .refused: "refused", .answered: "served",
    ]
}

extension Evidence {
    /// Returns whether a reset may have discarded the answer to several lines. A server that closes
    /// the connection before it has read all of them resets it, and the client then loses whatever
    /// it has not read yet.
    fileprivate func mayHaveLostAnswer(_ handle: String?, _ stimulus: Int) -> Bool {
        var isReset = false
        var lineEnds = 0
        for (entry, step) in entries where entry.operatorName == handle && step >= stimulus {
            if entry.kind == .resetByPeer { isReset = true }
            if entry.kind == .sent, step == stimulus {
                // A line that a check sends as raw bytes includes its terminator.
                for byte in entry.bytes + entry.terminator
                where byte == ASCII.lf || byte == ASCII.cr { lineEnds += 1 }
            }
        }
        return isReset && lineEnds > subject.terminator.count
    }

    /// Returns the number of probes sent in these steps that the server refused. Without the
    /// dialect's `probe-refused`, only an earlier probe that was refused shows that the server
    /// refuses probes, such as before the login.
    fileprivate mutating func refusedProbes(
        by handle: String, since stimulus: Int, before next: Int?
    ) -> Int {
        guard !subject.has("probe-refused") else { return 0 }
        var count = 0
        var isProbed = false
        var isRefused = false
        for (entry, step) in entries where entry.operatorName == handle {
            switch (entry.kind, entry.role) {
            case (.received, .probe): return 0
            case (.sent, .probe) where step < stimulus: isProbed = true
            case (.sent, .probe) where next.map({ step < $0 }) ?? true: count += 1
            case (.received, .plain) where step < stimulus && isProbed:
                isRefused = isRefused || isRefusal(entry)
            default: break
            }
        }
        return isRefused ? count : 0
    }

    /// Returns the answer to the first stimulus if the server closed the connection and errors
    /// close connections in this dialect; nil otherwise.
    mutating func closingAnswer() -> ObservedAnswer? {
        guard subject.errorsClose else { return nil }
        let answer = ObservedAnswer(&self, stimulus: stimuli.first ?? 0)
        return answer.kind == .closed ? answer : nil
    }
}
