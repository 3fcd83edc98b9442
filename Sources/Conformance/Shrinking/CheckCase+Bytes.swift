import LineProtocol
import Results
import Session

/// Smaller variants of a case, with fewer splits, fewer bytes and shorter waits.
extension CheckCase {
    /// Kinds of findings about whether a client is served, not about the contents of lines.
    private static let service: Set<String> = ["closed", "wedged", "stale-session"]
    /// Kinds of findings about missing data, which too short a wait could also cause.
    private static let absences: Set<String> = [
        "lost", "silent", "not-closed", "stale-session", "wedged", "not-notified", "no-reason",
        "desync",
    ]

    /// Returns the case without segmentation, so that each line is sent in one write; nil if it has
    /// none.
    var unsegmented: CheckCase? {
        guard segmentation != .whole else { return nil }
        var copy = self
        copy.segmentation = .whole
        return copy
    }

    /// Returns the case with the stimulus sent in one write; nil if it already is, or if the step
    /// is not a stimulus.
    func joined(_ step: Int, _ subject: Subject) -> CheckCase? {
        guard steps[step].role == .stimulus, let pieces = steps[step].pieces(subject),
            pieces.count > 1
        else { return nil }
        var copy = self
        copy.steps[step].replace([Array(pieces.joined())], subject)
        return copy
    }

    // MARK: Bytes

    /// Returns whether bytes may be removed without changing the failure: the failure must be about
    /// whether a client is served, not about the contents of messages.
    func losesBytes(for finding: Finding, _ subject: Subject) -> Bool {
        guard !keepsBytes, Self.service.contains(finding.kind) else { return false }
        // If errors close the connection, any other line may also close it.
        return finding.kind != "closed" || !subject.errorsClose
    }

    /// Returns all bytes that a stimulus sends in its single write, and the range of its first line
    /// (`start` to `end`) from which bytes may be removed. Returns nil if the step is not such a
    /// stimulus, or if the line announces a payload.
    private func line(_ step: Int, _ subject: Subject) -> (start: Int, end: Int, all: [UInt8])? {
        guard steps[step].role == .stimulus, let pieces = steps[step].pieces(subject),
            pieces.count == 1
        else { return nil }
        let wire = WireLine(pieces[0], terminator: subject.terminator)
        let line = wire?.line ?? pieces[0]
        var split = SplitLine()
        LineSplitter(subject.dialect, direction: .fromClient).split(
            line.span, 0..<line.count, into: &split)
        let verb = Array(line[split.verb])
        let announces = subject.dialect.framing.payloads.contains { rule in
            rule.verb.map(ASCII.uppercased) == verb.map(ASCII.uppercased)
        }
        if announces { return nil }
        // The separator after the command is kept as long as something follows it.
        let behind = split.verb.upperBound + 1
        let start = subject.hasVerbs ? behind < line.count ? behind : behind - 1 : 0
        return (min(start, line.count), line.count, pieces[0])
    }

    /// Returns the case without the data after the first line of a stimulus; nil if there is no
    /// such data.
    func withoutTail(_ step: Int, _ subject: Subject) -> CheckCase? {
        guard let (_, end, all) = line(step, subject), end + subject.terminator.count < all.count
        else { return nil }
        return with(Array(all.prefix(end + subject.terminator.count)), in: step, subject)
    }

    /// Returns the offsets of the bytes that may be removed from a line. The command and the
    /// terminator are kept.
    func removableBytes(_ step: Int, _ subject: Subject) -> [Int] {
        guard let (start, end, _) = line(step, subject), start < end else { return [] }
        return Array(start..<end)
    }

    /// Returns the case without the given bytes of a stimulus; nil if the step has no line, or if
    /// no bytes would be left.
    func without(bytes gone: [Int], in step: Int, _ subject: Subject) -> CheckCase? {
        guard let first = gone.first, let last = gone.last, let (_, _, all) = line(step, subject)
        else { return nil }
        return with(Array(all[..<first] + all[(last + 1)...]), in: step, subject)
    }

    /// Returns the case with different bytes for a stimulus. The case then expects no messages,
    /// only that every client is served. Returns nil if `bytes` is empty.
    private func with(_ bytes: [UInt8], in step: Int, _ subject: Subject) -> CheckCase? {
        guard !bytes.isEmpty else { return nil }
        var copy = self
        copy.steps[step].replace([bytes], subject)
        copy.removedTexts.formUnion(steps.filter { $0.role == .stimulus }.compactMap(\.topic))
        for index in copy.steps.indices where copy.steps[index].role == .question {
            if !copy.steps[index].allowsClose { copy.steps[index].requires = [] }
            // This step expects a message. It is emptied rather than removed, so that the indices
            // of other steps do not change.
            if copy.steps[index].topic != nil { copy.steps[index].steps = [] }
        }
        return copy
    }

    // MARK: Waits

    /// Returns the case without a wait; nil if the step is not a wait, or if only the wait shows
    /// that something is missing.
    func withoutWait(_ step: Int, _ finding: Finding) -> CheckCase? {
        guard !Self.absences.contains(finding.kind), steps[step].isWait else { return nil }
        var copy = self
        copy.steps[step].steps = []
        return copy
    }

    /// Returns the case with half as many repetitions of a stimulus; nil if the stimulus is not
    /// repeated, or if the finding is not about whether a client is served.
    func halvedRounds(_ step: Int, _ finding: Finding) -> CheckCase? {
        guard steps[step].role == .stimulus, Self.service.contains(finding.kind) else {
            return nil
        }
        var copy = self
        return copy.steps[step].halveRounds() ? copy : nil
    }
}
