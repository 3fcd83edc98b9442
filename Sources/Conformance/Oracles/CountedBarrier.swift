import DialectModel
import LineProtocol
import Results
import Session

/// Counted barriers: if all answers to probes look the same, n probes must get n answers. Any other
/// number means that client and server are out of step.
enum CountedBarrier {
    /// Adds the result of the count to a judgement. Other failures take precedence.
    static func judge(_ judgement: Judgement, in evidence: inout Evidence) -> Judgement {
        if case .failed = judgement { return judgement }
        guard evidence.result.outcome == .passed, evidence.result.omittedEntries == 0,
            let words = Words(evidence.subject.bound)
        else { return judgement }
        for actor in evidence.testCase.actors {
            if let finding = finding(evidence, actor.handle, words) { return .failed(finding) }
        }
        return judgement
    }

    /// The commands of a probe and of its answer.
    private struct Words {
        let probe: [UInt8]
        let answer: [UInt8]
        let splitter: LineSplitter
        let ignoresCase: Bool

        /// Determines the commands; nil if answers contain a token or consist of several lines.
        init?(_ bound: BoundDialect) {
            guard let behaviour = bound["probe"], !behaviour.awaits(variable: "token"),
                behaviour.sends.count == 1, behaviour.awaits.count == 1,
                let probe = bound.verb(of: behaviour.sends[0]),
                let answer = bound.verb(of: behaviour.awaits[0])
            else { return nil }
            splitter = LineSplitter(bound.dialect)
            ignoresCase = bound.dialect.syntax.verbCase == .insensitive
            self.probe = ignoresCase ? probe.map(ASCII.uppercased) : probe
            self.answer = ignoresCase ? answer.map(ASCII.uppercased) : answer
        }

        func verb(_ line: [UInt8]) -> [UInt8] { Self.verb(line, splitter, ignoresCase) }

        private static func verb(
            _ line: [UInt8], _ splitter: LineSplitter, _ ignoresCase: Bool
        ) -> [UInt8] {
            var split = SplitLine()
            splitter.split(line.span, 0..<line.count, into: &split)
            let verb = Array(line[split.verb])
            return ignoresCase ? verb.map(ASCII.uppercased) : verb
        }
    }

    private static func finding(
        _ evidence: Evidence, _ handle: String, _ words: Words
    ) -> Finding? {
        var probes = 0
        var answers = 0
        // Number of probes that no step waits for, such as keepalives. A case may end before the
        // last one is answered.
        var unawaited = 0
        var stimulus: [UInt8] = []
        for (entry, step) in evidence.entries where entry.operatorName == handle {
            switch entry.kind {
            case .sent:
                // The number of answers to a stimulus is unknown, because a stimulus may be split
                // at any byte.
                if evidence.testCase.steps[step].role == .stimulus, entry.role != .probe {
                    stimulus += entry.bytes + entry.terminator + (entry.payload ?? [])
                }
                if words.verb(entry.bytes) == words.probe {
                    probes += 1
                    if entry.role != .probe { unawaited += 1 }
                }
            case .received:
                if words.verb(entry.bytes) == words.answer {
                    answers += 1
                    unawaited = 0
                }
            // A server cannot answer on a closed connection.
            case .closed, .closedByPeer, .resetByPeer: return nil
            case .connected: break
            }
        }
        if (probes - unawaited)...probes ~= answers || mentions(stimulus, words.probe) {
            return nil
        }
        // A server that answers no probes at all, for example before login, is silent rather than
        // out of step.
        if answers == 0 { return nil }
        return Finding(
            "desync", expected: "\(probes) answers to \(probes) probes",
            got: "\(answers) answers: \(handle) is out of sync with the server")
    }

    private static func mentions(_ bytes: [UInt8], _ verb: [UInt8]) -> Bool {
        bytes.map(ASCII.uppercased).firstRange(of: verb.map(ASCII.uppercased)) != nil
    }
}
