import LineProtocol
import Results
import Session

/// `pay.len`: payload lengths are wrong, and payloads look like lines.
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

    /// Lengths that are sent instead of the length of `hello`.
    private static let isServed = ["0005"]

    private static func lengths(_ subject: Subject) -> [(title: String, length: String)] {
        let over = subject.dialect.framing.fromClient.limits.payloadBytesMax + 1
        return [
            ("a length of -1", "-1"), ("a length of 0", "0"), ("a length one short", "4"),
            ("a length one long", "6"), ("a length with zeros before it", "0005"),
            ("a length that is not a number", "x"), ("a length followed by a letter", "5x"),
            ("a length over the maximum", String(over)),
            ("a length over 64 bits", "99999999999999999999"),
        ]
    }

    private static func wrong(_ line: PayloadLine, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, line.name),
            "after a wrong payload length in \(line.name), client and server stay in step",
            setting: "framing.limits.payload", in: subject, level: .robustness
        ) { maker in
            lengths(maker.subject).map { title, length in
                var script = maker.script(title)
                script.barrier("alice", role: .control)
                let bytes = line.bytes(payload, length: length)
                script.send(
                    .stimulus, bytes, by: "alice",
                    strict: isServed.contains(length)
                        ? nil : refused(bytes, by: "alice", script))
                // There are three barriers in a row: if client and server are out of step, one of
                // them shows it.
                for _ in 0..<3 { script.barrier("alice") }
                return script.made { evidence in
                    let stimulus = evidence.stimuli.first ?? 0
                    let answer = Answer(&evidence, stimulus: stimulus)
                    // The server must send an error or close the connection.
                    if answer.kind == .refused || answer.kind == .closed { return .passed }
                    guard evidence.result.outcome == .passed else {
                        return .failed(
                            Finding(
                                "desync",
                                expected: "an error, a close, or answers that stay in step",
                                got: "no answer to later lines, and no close"))
                    }
                    return .passed
                }
            }
        }
    }

    /// Returns the line with the required outcome: an error, or a close if errors close the
    /// connection. The outcome must come no later than the answer to the next request.
    private static func refused(
        _ bytes: [UInt8], by handle: String, _ script: CaseScript
    ) -> String? {
        let subject = script.subject
        guard subject.errorsClose else {
            return Reaction.refusal.strict(bytes, by: handle, script)
        }
        let probe = WireLine.probe(subject).map { "\n\(handle) -> \(subject.spelled($0.bytes))" }
        return "\(handle) -> \(subject.spelled(bytes))\(probe ?? "")\n\(handle) closed"
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

    // MARK: What arrives

    private static func delivered(_ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, "text"), "a payload arrives with every byte intact",
            setting: "framing.payload-end", in: subject
        ) { maker in
            // There is no control message before this, because it could be lost in the same way.
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

/// A client line that is followed by a payload with a stated length.
struct PayloadLine: Sendable {
    var name: String
    private var start: [UInt8]
    private var terminator: [UInt8]
    private var isTerminated: Bool

    /// Creates the line; nil if no payload follows, or if the length is not the last field.
    init?(_ signature: CommandSignature, _ verb: [UInt8], _ subject: Subject) {
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
        let line = SampleArgument.line(verb, arguments, subject)
        start = Array(line.dropLast(terminator.count))
        start.append(subject.dialect.syntax.separators.first ?? ASCII.space)
    }

    /// Returns the line with a payload and its length, or with the given length instead.
    func bytes(_ payload: [UInt8], length: String? = nil) -> [UInt8] {
        start + Array((length ?? String(payload.count)).utf8) + terminator + payload
            + (isTerminated ? terminator : [])
    }
}
