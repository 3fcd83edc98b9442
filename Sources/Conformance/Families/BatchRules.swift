import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `batch.…` rules, about batches: lines that the server groups for clients that have turned
/// batches on.
enum BatchRules: CheckFamily {
    static let ruleID = "batch"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("batches"), subject.talk?.isRoom == true,
            let syntax = BatchSyntax(subject.dialect), syntax.tag != nil
        else { return notApplicable("there are no batches") }
        let references = [
            listReferences(syntax, subject), historyReferences(syntax, subject),
        ].compactMap(\.self).map { CatalogueEntry.check($0) }
        guard !subject.negotiatesInLogin else {
            return references + [
                .notApplicable(
                    CheckID(unrequestedID), reason: "the dialect's login negotiates features itself"
                )
            ]
        }
        return references + unrequested(syntax, subject).map { .check($0) }
    }

    /// Behaviours that request lists. The server answers each with several lines.
    private static let lists = ["members", "member-details", "rooms", "rooms-of"]
    private static let history = "history"

    // MARK: batch.references

    private static func references(
        _ name: String, _ subject: Subject,
        cases: @escaping @Sendable (inout CaseMaker) -> [CheckCase]
    ) -> Check {
        Check(
            CheckID("batch.references", name),
            "each batch begins and ends once, and lines refer only to open batches",
            setting: "behaviours.batches", in: subject, cases: cases)
    }

    /// Creates the check for the responses to labelled requests for lists; nil if the dialect has
    /// no labels or lists.
    private static func listReferences(_ syntax: BatchSyntax, _ subject: Subject) -> Check? {
        let lists = lists.filter(subject.has)
        guard subject.has("labels"), let tags = LabelTags(subject.dialect), !lists.isEmpty else {
            return nil
        }
        return references("lists", subject) { maker in
            var script = maker.script("labelled requests for lists")
            let room = maker.room()
            script.enter(room: room, ["alice"])
            script.step(.setup, .use("labels", as: "alice"))
            script.barrier("alice", role: .control)
            let name = script.actor("alice").name
            let values = ["room": Array(String(room).utf8), "user": Array(name.utf8)]
            for (index, list) in lists.enumerated() {
                guard let wire = WireLine.spoken(by: name, list, values, maker.subject) else {
                    continue
                }
                let bytes = tags.labelled(wire.bytes, maker.bytes())
                script.send(
                    .stimulus, bytes, by: "alice",
                    requires: syntax.expectations("batch\(index + 1)", maker.subject))
                script.step(.question, .sync("alice"))
            }
            script.barrier("alice")
            return [script.made { judgeReferences(&$0, syntax) }]
        }.needing(["labels", "batches"] + lists, subject)
    }

    /// Creates the check for messages that a client requests from a room's history; nil if the
    /// dialect has no such request.
    private static func historyReferences(_ syntax: BatchSyntax, _ subject: Subject) -> Check? {
        guard subject.has(history) else { return nil }
        return references(history, subject) { maker in
            var script = maker.script("a room's history")
            script.enterWithHistory(room: maker.room(), text: maker.word())
            script.step(.setup, .use("batches", as: "alice"))
            script.barrier("alice", role: .control)
            script.request(history, requires: syntax.expectations("batch", maker.subject))
            script.barrier("alice")
            return [script.made { judgeReferences(&$0, syntax) }]
        }.needing(["batches", history], subject)
    }

    private static func judgeReferences(
        _ evidence: inout Evidence, _ syntax: BatchSyntax
    ) -> Judgement {
        let dialect = evidence.subject.dialect
        let lines = received(evidence)
        if let mistake = syntax.mistake(in: lines, dialect) { return .failed(mistake) }
        let scripted = Liveness.patient(evidence.scripted())
        guard case .passed = scripted,
            !lines.contains(where: { syntax.reference($0, .begin, dialect) != nil })
        else { return scripted }
        return .observed("no batches")
    }

    /// Returns the lines that alice has received since the first stimulus.
    private static func received(_ evidence: Evidence) -> [[UInt8]] {
        evidence.entries.compactMap { entry, step in
            guard step >= evidence.stimuli.first ?? 0, entry.kind == .received,
                entry.operatorName == "alice"
            else { return nil }
            return entry.bytes
        }
    }

    // MARK: batch.unrequested

    private static let unrequestedID = "batch.unrequested"

    /// Creates the checks that a client receives no batches unless it has turned them on.
    private static func unrequested(_ syntax: BatchSyntax, _ subject: Subject) -> [Check] {
        let lists = lists.filter(subject.has)
        let groups = [("lists", lists), (history, [history].filter(subject.has))]
        return groups.filter { !$0.1.isEmpty }.map { name, behaviours in
            Check(
                CheckID(unrequestedID, name),
                "a client that has not turned batches on receives none",
                setting: "behaviours.batches", in: subject
            ) { maker in
                var script = maker.script("to a client without batches")
                script.enterWithHistory(room: maker.room(), text: maker.word())
                script.barrier("alice", role: .control)
                let none = Step.expect("alice", .never, syntax.anyEdge)
                for behaviour in behaviours { script.request(behaviour, requires: [none]) }
                script.barrier("alice")
                return [script.made { judgeUnrequested(&$0, syntax) }]
            }.needing(["batches"] + behaviours, subject)
        }
    }

    private static func judgeUnrequested(
        _ evidence: inout Evidence, _ syntax: BatchSyntax
    ) -> Judgement {
        let dialect = evidence.subject.dialect
        let line = received(evidence).first { line in
            syntax.reference(line, .begin, dialect) != nil
                || syntax.reference(line, .end, dialect) != nil
                || !syntax.memberships(line, dialect).isEmpty
        }
        guard let line else { return Liveness.patient(evidence.scripted()) }
        return .failed(
            Finding(
                "unrequested", expected: "lines outside of batches", got: PeerBytes.shown([line])))
    }
}

extension CaseScript {
    /// Adds steps in which alice enters a room and sends a message there.
    fileprivate mutating func enterWithHistory(room: Int, text: String) {
        enter(room: room, ["alice"])
        say("plain\(text)", as: "alice", role: .control)
    }

    /// Adds steps in which alice requests a list or a history, and waits for the answer.
    ///
    /// - Parameter requires: Expectations of the scenario file after the request.
    fileprivate mutating func request(_ behaviour: String, requires: [Step]) {
        let given = arguments(
            [("room", .int(room ?? 0)), ("user", .text(actor("alice").name))], of: behaviour)
        step(.stimulus, .use(behaviour, as: "alice", given), requires: requires)
        step(.question, .sync("alice"))
    }
}

extension BatchSyntax {
    /// Returns the expectations of a scenario file that a batch begins, contains a line and ends.
    ///
    /// - Parameter variable: Name of the variable that captures the reference.
    fileprivate func expectations(_ variable: String, _ subject: Subject) -> [Step] {
        guard let tags = subject.dialect.syntax.fromServer.tags, let tag else { return [] }
        let start = ExpectedPattern.literal([tags.marker])
        let separator = ExpectedPattern.literal([tags.separator])
        let key = ExpectedPattern.literal(tag + [tags.assignment])
        guard let before = ExpectedPattern.piece("\(start)([^ ]*\(separator))?\(key)"),
            let after = ExpectedPattern.piece("(\(separator)[^ ]*)? .*")
        else { return [] }
        let reference = Template.Piece.placeholder(Placeholder(.variable(variable), range: .none))
        func edge(_ edge: Edge, _ rest: [Template.Piece]) -> Pattern {
            let words = Template(verb + [ASCII.space, edge.rawValue])
            return .wire(Template(words.pieces + [reference] + rest, range: .none), payload: nil)
        }
        return [
            edge(.begin, Template([ASCII.space]).pieces + [Self.rest]),
            .raw(Template([before, reference, after], range: .none)), edge(.end, []),
        ].map { .expect("alice", .skip, $0) }
    }

    /// The pattern of a line that begins or ends a batch.
    fileprivate var anyEdge: Pattern {
        let words = Template(verb + [ASCII.space])
        return .wire(Template(words.pieces + [Self.rest], range: .none), payload: nil)
    }

    private static let rest = Template.Piece.placeholder(
        Placeholder(.rest(name: nil), range: .none))
}
