import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `label` rule: each labelled command gets exactly one labelled response, which is a line, a
/// batch of lines or an acknowledgement.
enum LabelledCommands: CheckFamily {
    static let ruleID = "label"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("labels"), subject.dialect.syntax.fromClient.tags != nil,
            let tags = LabelTags(subject.dialect)
        else {
            return notApplicable("commands have no labels")
        }
        return subject.clientCommands.compactMap { signature, verb in
            guard signature.payloadArgument == nil else { return nil }
            if subject.logsOut(signature) { return .check(logout(signature, verb, tags, subject)) }
            guard signature.arguments.contains(where: { $0.isCredential && $0.isRequired }) else {
                return .check(check(signature, verb, tags, subject))
            }
            guard subject.bound.sends(signature, in: [authentication]) else { return nil }
            return .check(authentication(verb, tags, subject))
        }
    }

    private static func check(
        _ signature: CommandSignature, _ verb: [UInt8], _ tags: LabelTags, _ subject: Subject
    ) -> Check {
        check(verb, subject) { maker in
            var script = maker.script("with and without arguments")
            let room = maker.room()
            script.enter(room: room, ["alice"])
            script.turnOnLabels()
            let names = [
                Array(script.actor("alice").name.utf8), RoomArgument.written(String(room), subject),
            ]
            for line in lines(signature, verb, names: names.compactMap(\.self), subject) {
                tags.send(line, maker.bytes(), &script)
            }
            script.barrier("alice")
            return [script.made(.any) { tags.judge(&$0) }]
        }
    }

    private static func check(
        _ verb: [UInt8], _ subject: Subject,
        cases: @escaping @Sendable (inout CaseMaker) -> [CheckCase]
    ) -> Check {
        let name = String(decoding: verb, as: UTF8.self)
        return Check(
            CheckID(ruleID, name), "a labelled \(name) gets exactly one labelled response",
            setting: "behaviours.labels", in: subject, cases: cases
        ).needing(["labels"], subject)
    }

    // MARK: Commands that end the session

    /// Creates the check that the last line before the server closes the connection is labelled.
    private static func logout(
        _ signature: CommandSignature, _ verb: [UInt8], _ tags: LabelTags, _ subject: Subject
    ) -> Check {
        check(verb, subject) { maker in
            let line = lines(signature, verb, names: [], subject).last ?? verb
            var script = maker.script("as the last command")
            script.turnOnLabels()
            tags.send(line, maker.bytes(), &script, endsSession: true)
            return [script.made { tags.judge(&$0, endsSession: true) }]
        }
    }

    // MARK: Authentication

    /// Name of the behaviour that authenticates.
    private static let authentication = "authentication"

    /// Creates the check for a command whose arguments are secret. The dialect's behaviour provides
    /// the lines.
    private static func authentication(
        _ verb: [UInt8], _ tags: LabelTags, _ subject: Subject
    ) -> Check {
        check(verb, subject) { maker in
            let subject = maker.subject
            var script = maker.script("the lines of an authentication")
            script.turnOnLabels()
            let name = script.actor("alice").name
            for step in subject.bound[authentication]?.steps ?? [] {
                guard let wire = WireLine([step], [:], by: name, subject) else { continue }
                if wire.line[wire.verb(subject.dialect)].elementsEqual(verb) {
                    tags.send(wire.bytes, maker.bytes(), &script)
                } else {
                    script.send(.setup, wire.bytes, by: "alice")
                    script.step(.setup, .sync("alice"))
                }
            }
            script.barrier("alice")
            return [script.made(.any) { tags.judge(&$0) }]
        }.needing([authentication], subject)
    }
}

extension CaseScript {
    /// Adds steps in which alice turns on labels.
    fileprivate mutating func turnOnLabels() {
        step(.setup, .use("labels", as: "alice"))
        barrier("alice", role: .control)
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
    /// The syntax of tags in commands.
    private let syntax: FieldSyntax.TagSyntax
    /// The syntax of tags in responses.
    private let responseSyntax: FieldSyntax.TagSyntax
    private let label: [UInt8]
    private let batches: BatchSyntax

    init?(_ dialect: Dialect) {
        guard let syntax = dialect.syntax.fromClient.tags,
            let responseSyntax = dialect.syntax.fromServer.tags,
            let label = dialect.tagKey(of: "label", in: "batch", .fromServer),
            let batches = BatchSyntax(dialect)
        else { return nil }
        self.syntax = syntax
        self.responseSyntax = responseSyntax
        self.label = label
        self.batches = batches
    }

    /// Returns the line with a label in its tags.
    func labelled(_ line: [UInt8], _ label: [UInt8]) -> [UInt8] {
        [syntax.marker] + tag(label, syntax) + [ASCII.space] + line
    }

    private func tag(_ label: [UInt8], _ syntax: FieldSyntax.TagSyntax) -> [UInt8] {
        self.label + [syntax.assignment] + label
    }

    /// Adds a step that sends a labelled line, and one that waits until it is answered.
    ///
    /// - Parameter endsSession: True if the server must then close the connection.
    func send(
        _ line: [UInt8], _ label: [UInt8], _ script: inout CaseScript, endsSession: Bool = false
    ) {
        let bytes = labelled(line, label)
        let pattern = ExpectedPattern.line(
            tag: ExpectedPattern.literal(tag(label, responseSyntax)), responseSyntax)
        script.send(.stimulus, bytes, by: "alice")
        if let pattern {
            script.require([.expect("alice", .skip, pattern)])
            if !endsSession { script.require([.expect("alice", .never, pattern)]) }
        }
        script.step(.question, endsSession ? .closed("alice") : .sync("alice"))
    }

    /// Judges whether each labelled line got exactly one labelled response.
    ///
    /// - Parameter endsSession: True if the server must close the connection after its response.
    ///   Otherwise, a server that closes the connection need not send a labelled response.
    func judge(_ evidence: inout Evidence, endsSession: Bool = false) -> Judgement {
        let dialect = evidence.subject.dialect
        let received = evidence.entries.map(\.entry).filter { $0.kind == .received }
        for stimulus in evidence.stimuli {
            guard let bytes = evidence.testCase.steps[stimulus].pieces(evidence.subject)?.first,
                let label = LineTags(bytes, dialect, from: .fromClient).values(of: self.label).first
            else { continue }
            let responses = received.filter {
                LineTags($0.bytes, dialect).values(of: self.label).contains(label)
            }
            let shown = PeerBytes.shown(Array(responses.map(\.bytes).prefix(2)))
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            if responses.isEmpty {
                if answer.kind == .closed, !endsSession { return .observed("close") }
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
            if let reference = batches.reference(responses[0].bytes, .begin, dialect),
                !received.contains(where: {
                    batches.reference($0.bytes, .end, dialect) == reference
                })
            {
                return .failed(
                    Finding("unfinished", expected: "the end of the batch", got: "only \(shown)"))
            }
        }
        return Liveness.patient(evidence.scripted())
    }
}
