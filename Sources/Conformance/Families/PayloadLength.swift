import LineProtocol
import Results
import Scenario
import Session

/// The `pay.len` rule, about payloads with a wrong length, and payloads that look like lines.
enum PayloadLength: CheckFamily {
    static let ruleID = "pay.len"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let lines = subject.clientCommands.compactMap {
            PayloadLine($0.signature, $0.verb, subject)
        }
        guard !lines.isEmpty else {
            return notApplicable("no client command has a counted payload")
        }
        var checks = lines.flatMap { [wrong($0, subject), content($0, subject)] }
        if TextPosition(subject)?.rule == nil, subject.talk?.isOneLine == true {
            checks.append(delivered(subject))
        }
        return checks.map { .check($0) }
    }

    // MARK: Wrong lengths

    private static let payload = Array("hello".utf8)

    /// Other notations for the length of `hello` that a server may accept.
    private static let isServed = ["0005"]

    /// A declared length to try, and the payload that follows it.
    private struct Trial {
        var title: String
        var length: String
        var payload = PayloadLength.payload
    }

    private static func trials(_ subject: Subject) -> [Trial] {
        let over = subject.dialect.framing.fromClient.limits.payloadBytesMax + 1
        // A server may refuse a payload over the maximum only after skipping all of it.
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: min(over, longMax))
        return [
            Trial(title: "a length of -1", length: "-1"),
            Trial(title: "a length of 0", length: "0"),
            Trial(title: "a length that is one byte too small", length: "4"),
            Trial(title: "a length that is one byte too large", length: "6"),
            Trial(title: "a length with leading zeros", length: "0005"),
            Trial(title: "a length that is not a number", length: "x"),
            Trial(title: "a length followed by a letter", length: "5x"),
            Trial(title: "a length over the maximum", length: String(over), payload: long),
            Trial(title: "a length that does not fit in 64 bits", length: "99999999999999999999"),
        ]
    }

    /// Maximum number of bytes to send of an oversized payload.
    private static let longMax = 2 * 1_048_576

    private static func wrong(_ line: PayloadLine, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, line.name),
            "after a wrong payload length in \(line.name), client and server stay in sync",
            setting: "framing.limits.payload", in: subject, level: .robustness
        ) { maker in
            trials(maker.subject).map { trial in
                var script = maker.script(trial.title)
                script.barrier("alice", role: .control)
                let bytes = line.bytes(trial.payload, length: trial.length)
                script.send(
                    .stimulus, bytes, by: "alice",
                    requires: isServed.contains(trial.length)
                        ? [] : refused(by: "alice", in: script))
                // Three barriers in a row: if client and server are out of step, one of the three
                // shows it.
                for _ in 0..<3 { script.barrier("alice") }
                return script.made { evidence in
                    let stimulus = evidence.stimuli.first ?? 0
                    let answer = ObservedAnswer(&evidence, stimulus: stimulus)
                    // The server must send an error or close the connection.
                    if answer.kind == .refused || answer.kind == .closed { return .passed }
                    guard evidence.result.outcome == .passed else {
                        return .failed(
                            Finding(
                                "desync",
                                expected: "an error, a close, or answers that match the requests",
                                got: "no answer to later lines, and the connection stayed open"))
                    }
                    return .passed
                }
            }
        }
    }

    /// Returns the required outcome: an error or, if errors close the connection, a close no later
    /// than the answer to the next request.
    private static func refused(by handle: String, in script: CaseScript) -> [Step] {
        let subject = script.subject
        guard subject.errorsClose else {
            return Reaction.refusal.expected(by: handle, in: script)
        }
        let probe = WireLine.probe(subject).map { Step.send(handle, subject.message($0.bytes)) }
        return (probe.map { [$0] } ?? []) + [.closed(handle)]
    }

    // MARK: Payloads that look like lines

    private static func content(_ line: PayloadLine, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, "\(line.name).lines"),
            "lines inside a payload of \(line.name) are not executed",
            setting: "framing.payload-end", in: subject
        ) { maker in
            let unknown = Array("QZX 1".utf8)
            let end = maker.subject.terminator
            let lines = end + unknown + end + [0] + end
            var script = maker.script("a payload with lines, a command and a NUL")
            script.barrier("alice", role: .control)
            let plain = [UInt8](repeating: UInt8(ascii: "x"), count: lines.count)
            script.differentialPair(line.bytes(plain), line.bytes(lines), by: "alice")
            script.barrier("alice")
            return [script.made()]
        }
    }

    // MARK: Delivered payloads

    private static func delivered(_ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, "text"), "a payload arrives with every byte intact",
            setting: "framing.payload-end", in: subject
        ) { maker in
            // No control message is sent first, because it could get lost in the same way.
            var script = maker.script("payloads with terminators and commands", ["alice", "bob"])
            script.enter(room: maker.room(), ["alice", "bob"])
            script.barrier("alice", role: .control)
            script.barrier("bob", role: .control)
            let word = maker.bytes()
            let command = script.wire(bytes: word, by: "alice")?.bytes ?? []
            let end = maker.subject.terminator
            let texts = [word, word + end, end + word, word + end + command, [0] + word, []]
            let said = script.exchange(texts)
            return [script.judgedByPeer(texts: said)]
        }
    }
}

/// A client line that declares the length of the payload after it.
struct PayloadLine: Sendable {
    var name: String
    private var start: [UInt8]
    private var terminator: [UInt8]
    private var isTerminated: Bool

    /// Creates the line; nil if it has no payload, or if the length is not its last field.
    ///
    /// - Parameter word: The value of arguments of type text; a sample value by default.
    init?(
        _ signature: CommandSignature, _ verb: [UInt8], _ subject: Subject, word: String? = nil
    ) {
        let rule = subject.dialect.framing.payloads.first {
            $0.verb == verb && $0.direction.allows(.fromClient)
        }
        guard let rule, rule.lengthField == .last, signature.payloadArgument != nil else {
            return nil
        }
        let arguments = SampleArgument.required(signature).filter { $0.position != .payloadLength }
        name = String(decoding: verb, as: UTF8.self)
        terminator = subject.terminator
        isTerminated = rule.terminated
        let line = SampleArgument.line(verb, arguments, subject) { argument in
            argument.type == .text ? word.map { Array($0.utf8) } : nil
        }
        start = Array(line.dropLast(terminator.count))
        subject.appendSeparator(to: &start, after: verb)
    }

    /// Returns the line with a payload and its length, or with a different length if one is given.
    func bytes(_ payload: [UInt8], length: String? = nil) -> [UInt8] {
        start + Array((length ?? String(payload.count)).utf8) + terminator + payload
            + (isTerminated ? terminator : [])
    }
}
