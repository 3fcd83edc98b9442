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
            let probe = ProbeCommand(evidence.subject.bound)
        else { return judgement }
        for actor in evidence.testCase.actors {
            if let finding = finding(&evidence, actor.handle, probe) { return .failed(finding) }
        }
        return judgement
    }

    /// The command that sends a probe, for recognising probes in a transcript.
    private struct ProbeCommand {
        let verb: [UInt8]
        let splitter: LineSplitter
        let ignoresCase: Bool

        /// Determines the command; nil if the dialect has no probe, or if answers contain a token,
        /// consist of several lines, or look like the answers to other commands.
        init?(_ bound: BoundDialect) {
            guard let behaviour = bound["probe"], !behaviour.awaits(variable: "token"),
                bound.sharedProbeAnswer == nil,
                behaviour.sends.count == 1, behaviour.awaits.count == 1,
                let verb = bound.verb(of: behaviour.sends[0]),
                bound.verb(of: behaviour.awaits[0]) != nil
            else { return nil }
            splitter = LineSplitter(bound.dialect, direction: .fromClient)
            ignoresCase = bound.dialect.syntax.fromClient.ignoresVerbCase
            self.verb = ignoresCase ? verb.map(ASCII.uppercased) : verb
        }

        /// Returns true if the line has this command.
        func matches(_ line: [UInt8]) -> Bool {
            var split = SplitLine()
            splitter.split(line.span, 0..<line.count, into: &split)
            let verb = Array(line[split.verb])
            return (ignoresCase ? verb.map(ASCII.uppercased) : verb) == self.verb
        }
    }

    private static func finding(
        _ evidence: inout Evidence, _ handle: String, _ probe: ProbeCommand
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
                // at any byte. A masked stimulus cannot be searched for probes.
                if evidence.testCase.steps[step].role == .stimulus, entry.role != .probe {
                    if entry.isMasked { return nil }
                    stimulus += entry.bytes + entry.terminator + (entry.payload ?? [])
                }
                if probe.matches(entry.bytes) {
                    probes += 1
                    if entry.role != .probe { unawaited += 1 }
                }
            case .received:
                if evidence.isProbeAnswer(entry) {
                    answers += 1
                    unawaited = 0
                }
            // A server cannot answer on a closed connection.
            case .closed, .closedByPeer, .resetByPeer: return nil
            case .connected: break
            }
        }
        if (probes - unawaited)...probes ~= answers || mentions(stimulus, probe.verb) {
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
