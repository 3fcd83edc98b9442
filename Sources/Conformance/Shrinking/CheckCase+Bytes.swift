import LineProtocol
import Results
import Session

/// Smaller forms of a case: with fewer cuts, with fewer bytes, with shorter waits.
extension CheckCase {
    /// Findings about how somebody is served, whatever the bytes say.
    private static let service: Set<String> = ["closed", "wedged", "staleSession"]
    /// Findings that something has not come, which a shorter wait may be the cause of.
    private static let absences: Set<String> = [
        "lost", "silent", "not-closed", "staleSession", "wedged", "untold", "unsaid", "desync",
    ]

    /// The case with each line in one write and segment of its own; nil where it is so.
    var unsegmented: CheckCase? {
        guard segmentation != .whole else { return nil }
        var play = self
        play.segmentation = .whole
        return play
    }

    /// The case with the pieces of a stimulus in one write; nil where they are.
    func joined(_ step: Int, _ subject: Subject) -> CheckCase? {
        guard steps[step].role == .stimulus, let pieces = steps[step].pieces, pieces.count > 1
        else { return nil }
        var play = self
        play.steps[step].replace([Array(pieces.joined())], subject)
        return play
    }

    // MARK: Bytes

    /// Whether bytes may be left out, so that what failed is wrong of fewer bytes, too: a server that serves neither
    /// those nor others. What became of a text is another question with other bytes.
    func losesBytes(for finding: Finding, _ subject: Subject) -> Bool {
        guard !keepsBytes, Self.service.contains(finding.kind) else { return false }
        // Where errors end the connection, so may any other line.
        return finding.kind != "closed" || !subject.errorsClose
    }

    /// The line of a stimulus in its parts; nil where it has none, or announces a payload.
    private func line(_ step: Int, _ subject: Subject) -> (start: Int, end: Int, all: [UInt8])? {
        guard steps[step].role == .stimulus, let pieces = steps[step].pieces, pieces.count == 1
        else { return nil }
        let wire = WireLine(pieces[0], terminator: subject.terminator)
        let line = wire?.line ?? pieces[0]
        var split = SplitLine()
        LineSplitter(subject.dialect).split(line.span, 0..<line.count, into: &split)
        let verb = Array(line[split.verb])
        let announces = subject.dialect.framing.payloads.contains { rule in
            rule.verb.map(ASCII.uppercased) == verb.map(ASCII.uppercased)
        }
        if announces { return nil }
        // The separator behind the command stays as long as something stands behind that.
        let behind = split.verb.upperBound + 1
        let start = subject.hasVerbs ? behind < line.count ? behind : behind - 1 : 0
        return (min(start, line.count), line.count, pieces[0])
    }

    /// The case without what stands behind the first line of a stimulus.
    func withoutTail(_ step: Int, _ subject: Subject) -> CheckCase? {
        guard let (_, end, all) = line(step, subject), end + subject.terminator.count < all.count
        else { return nil }
        return with(Array(all.prefix(end + subject.terminator.count)), in: step, subject)
    }

    /// The places of the bytes of a line that may go: not its command, nor its end.
    func removableBytes(_ step: Int, _ subject: Subject) -> [Int] {
        guard let (start, end, _) = line(step, subject), start < end else { return [] }
        return Array(start..<end)
    }

    /// The case without these bytes of a stimulus.
    func without(bytes gone: [Int], in step: Int, _ subject: Subject) -> CheckCase? {
        guard let first = gone.first, let last = gone.last, let (_, _, all) = line(step, subject)
        else { return nil }
        return with(Array(all[..<first] + all[(last + 1)...]), in: step, subject)
    }

    /// The case with these bytes as a stimulus. No text is expected any more: what is asked is whether all are served.
    private func with(_ bytes: [UInt8], in step: Int, _ subject: Subject) -> CheckCase? {
        guard !bytes.isEmpty else { return nil }
        var play = self
        play.steps[step].replace([bytes], subject)
        play.unsaid.formUnion(steps.filter { $0.role == .stimulus }.compactMap(\.topic))
        for place in play.steps.indices where play.steps[place].role == .question {
            play.steps[place].strict = nil
            // What was to be heard; the place stays, so that others stay in theirs.
            if play.steps[place].topic != nil { play.steps[place].text = "" }
        }
        return play
    }

    // MARK: Waits

    /// The case without a wait; nil where there is none, or where nothing else tells that something does not come.
    func withoutWait(_ step: Int, _ finding: Finding) -> CheckCase? {
        guard !Self.absences.contains(finding.kind), steps[step].text.hasPrefix("wait ") else {
            return nil
        }
        var play = self
        play.steps[step].text = ""
        return play
    }

    /// The case with half of the rounds of a stimulus; nil where it has none.
    func halvedRounds(_ step: Int, _ finding: Finding) -> CheckCase? {
        let words = steps[step].text.split(separator: " ", maxSplits: 2)
        guard steps[step].role == .stimulus, Self.service.contains(finding.kind), words.count == 3,
            words[0] == "repeat", let rounds = Int(words[1]), rounds > 1
        else { return nil }
        var play = self
        play.steps[step].text = "repeat \(rounds / 2) \(words[2])"
        return play
    }
}

extension CaseStep {
    /// Sends these pieces instead, in the scenario that is written down, too.
    fileprivate mutating func replace(_ pieces: [[UInt8]], _ subject: Subject) {
        let sent =
            pieces.count == 1
            ? subject.spelled(pieces[0]) : CaseScript.spelled(pieces: pieces)
        let other = "\(handle ?? "") -> \(sent)"
        if let strict {
            self.strict = strict.hasPrefix(text) ? other + strict.dropFirst(text.count) : nil
        }
        text = other
        self.pieces = pieces
    }
}
