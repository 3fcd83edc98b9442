import DialectModel
import LineProtocol
import Results
import Session

/// `label`: each labelled command gets exactly one labelled response: a line, a batch of lines, or
/// an acknowledgement.
enum LabelledCommands: CheckFamily {
    static let ruleID = "label"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("labels"), subject.dialect.syntax.tags != nil,
            let tags = LabelTags(subject.dialect)
        else {
            return notApplicable("commands have no labels")
        }
        return subject.clientCommands.compactMap { signature, verb in
            guard signature.payloadArgument == nil, !subject.logsOut(signature),
                !signature.arguments.contains(where: { $0.isSecret && $0.isRequired })
            else { return nil }
            return .check(check(signature, verb, tags, subject))
        }
    }

    private static func check(
        _ signature: CommandSignature, _ verb: [UInt8], _ tags: LabelTags, _ subject: Subject
    ) -> Check {
        let name = String(decoding: verb, as: UTF8.self)
        return Check(
            CheckID(ruleID, name), "a labelled \(name) gets exactly one labelled response",
            setting: "behaviours.labels", in: subject
        ) { maker in
            var script = maker.script("with and without arguments")
            let room = maker.room()
            script.enter(room: room, ["alice"])
            script.step(.setup, "use labels as alice", by: "alice")
            script.barrier("alice", role: .control)
            let names = [
                Array(script.actor("alice").name.utf8), RoomArgument.written(String(room), subject),
            ]
            for line in lines(signature, verb, names: names.compactMap(\.self), subject) {
                tags.send(line, maker.bytes(), &script)
            }
            script.barrier("alice")
            return [script.made(.any) { tags.judge(&$0) }]
        }.needing(["labels"], subject)
    }
}

extension LabelledCommands {
    /// Returns lines that send the command: one without arguments, one with sample arguments, and
    /// one for each name, with the name as the value of all text arguments.
    private static func lines(
        _ signature: CommandSignature, _ verb: [UInt8], names: [[UInt8]], _ subject: Subject
    ) -> [[UInt8]] {
        let required = SampleArgument.required(signature)
        let first = signature.arguments.first {
            if case .field = $0.position { true } else { false }
        }
        let arguments = required.isEmpty ? [first].compactMap(\.self) : required
        var lines = [SampleArgument.line(verb, [], subject)]
        guard !arguments.isEmpty else { return lines }
        lines.append(SampleArgument.line(verb, arguments, subject))
        for name in names {
            lines.append(
                SampleArgument.line(verb, arguments, subject) { argument in
                    switch argument.type {
                    case .text, .list: name
                    default: nil
                    }
                })
        }
        return lines
    }
}

/// The tag that labels commands and their responses.
struct LabelTags {
    private let syntax: FieldSyntax.TagSyntax
    private let label: [UInt8]
    /// The command that begins or ends a batch.
    private let batch: [UInt8]
    /// The byte before a batch reference: `+` at the start of a batch, `-` at its end.
    private let signs: (begin: UInt8, end: UInt8) = (0x2B, 0x2D)

    init?(_ dialect: Dialect) {
        guard let syntax = dialect.syntax.tags,
            let label = dialect.tagKey(of: "label", in: "batch", .fromServer),
            let index = dialect.commands.command(named: "batch", .fromServer),
            case .exact(let batch) = dialect.commands.signatures[index].wire
        else { return nil }
        self.syntax = syntax
        self.label = label
        self.batch = batch
    }

    /// Adds a step that sends a labelled line.
    func send(_ line: [UInt8], _ label: [UInt8], _ script: inout CaseScript) {
        let tag = self.label + [syntax.assignment] + label
        let bytes = [syntax.marker] + tag + [ASCII.space] + line
        let pattern = ExpectedPattern.line(tag: ExpectedPattern.literal(tag), syntax)
        script.send(
            .stimulus, bytes, by: "alice",
            strict: """
                alice -> \(script.spelled(bytes))
                alice <~ \(pattern)
                alice <! \(pattern)
                """)
        script.step(.question, "sync alice", by: "alice")
    }

    /// Judges whether each labelled line got exactly one labelled response.
    func judge(_ evidence: inout Evidence) -> Judgement {
        let dialect = evidence.subject.dialect
        let received = evidence.entries.map(\.entry).filter { $0.kind == .received }
        for stimulus in evidence.stimuli {
            guard let bytes = evidence.testCase.steps[stimulus].pieces?.first,
                let label = LineTags(bytes, dialect).values(of: self.label).first
            else { continue }
            let responses = received.filter {
                LineTags($0.bytes, dialect).values(of: self.label).contains(label)
            }
            let shown = PeerBytes.shown(Array(responses.map(\.bytes).prefix(2)))
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            if responses.isEmpty {
                if answer.kind == .closed { return .observed("close") }
                return .failed(
                    Finding(
                        "unlabelled", expected: "exactly one labelled response", got: answer.words))
            }
            guard responses.count == 1 else {
                return .failed(
                    Finding(
                        "several", expected: "exactly one labelled response",
                        got: "\(responses.count), such as \(shown)"))
            }
            if let reference = reference(responses[0].bytes, signs.begin, dialect),
                !received.contains(where: {
                    self.reference($0.bytes, signs.end, dialect) == reference
                })
            {
                return .failed(
                    Finding("unended", expected: "the end of the batch", got: "only \(shown)"))
            }
        }
        return Liveness.patient(evidence.scripted())
    }

    /// Returns the reference of the batch that a line begins or ends, depending on `sign`; nil if
    /// the line does neither.
    private func reference(_ line: [UInt8], _ sign: UInt8, _ dialect: Dialect) -> [UInt8]? {
        var split = SplitLine()
        LineSplitter(dialect).split(line.span, 0..<line.count, into: &split)
        guard line[split.verb].elementsEqual(batch), let field = split.fields.first,
            line[field.value].first == sign
        else { return nil }
        return Array(line[field.value].dropFirst())
    }
}
