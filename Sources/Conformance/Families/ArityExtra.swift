import LineProtocol
import Results
import Scenario

/// The `arity.extra` rule, in which a command is sent with more arguments than it takes.
enum ArityExtra: CheckFamily {
    static let ruleID = "arity.extra"
    /// Numbers of extra arguments to try. The last one exceeds the field limit of every dialect
    /// that has a limit.
    private static let counts = [1, 5, 20]

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments to add to")
        }
        guard let line = TalkLine(subject) else {
            return notApplicable(subject.noMessages)
        }
        let tolerance = subject.tolerance(line.signature).tooMany
        let (word, claim) = words(tolerance)
        let check = Check(
            CheckID(ruleID, line.verb), "\(line.verb) with extra arguments \(claim)",
            setting: "tolerance.too-many", says: word, in: subject
        ) { maker in
            counts.map { made($0, tolerance, &maker) }
        }
        return [.check(check)]
    }

    private static func words(_ tolerance: Tolerance.TooMany) -> (String, String) {
        switch tolerance {
        case .ignore: ("ignore", "is executed without them")
        case .joinLast: ("join-last", "is executed with them joined to its last argument")
        case .reject: ("reject", "is refused")
        case .open: ("?", "does not close the connection silently")
        }
    }

    private static func made(
        _ count: Int, _ tolerance: Tolerance.TooMany, _ maker: inout CaseMaker
    ) -> CheckCase {
        let subject = maker.subject
        let extras = (1...count).map { extra($0, subject) }
        let separator = subject.dialect.syntax.fromClient.separators.first ?? ASCII.space
        let behind = extras.flatMap { [separator] + $0 }
        var script = maker.talkingScript(
            count == 1 ? "one extra argument" : "\(count) extra arguments")
        script.barrier("alice", role: .control)
        let text = "word\(maker.word())"
        script.speak(text, by: "alice") { wire in
            if subject.dialect.syntax.fromClient.json != nil {
                return [subject.adding(count, to: wire.line) + wire.terminator]
            }
            if subject.dialect.syntax.fromClient.resp {
                return [elements(extras, addedTo: wire.line) + wire.terminator]
            }
            return [TalkLine.bare(wire, text, subject).line + behind + wire.terminator + wire.tail]
        }
        let plain = Array(text.utf8)
        let joined = plain + behind
        switch tolerance {
        case .ignore:
            unheard(behind, as: "bob", &script)
            script.hear(plain, as: "bob")
        case .joinLast: script.hear(joined, as: "bob")
        case .reject, .open: break
        }
        script.barrier("alice")
        if case .open = tolerance { script.settled("bob") } else { script.quiet(["bob"]) }
        let room = script.room
        return script.made { evidence in
            judge(tolerance, plain: plain, joined: joined, room: room, &evidence)
        }
    }

    /// Adds the requirement that the client receives no line with the extra arguments. The check
    /// judges the transcript; expectations would ignore them if the dialect does.
    private static func unheard(_ extras: [UInt8], as handle: String, _ script: inout CaseScript) {
        let syntax = script.subject.dialect.syntax.fromServer
        guard syntax.json == nil, !syntax.resp, syntax.keyValue == nil else { return }
        let anything = Template.Piece.placeholder(Placeholder(.anything, range: .none))
        let line = Template(
            [
                anything, .literal(Template.Literal(Array(extras.prefix(3)), range: .none)),
                anything,
            ],
            range: .none)
        script.step(.question, .sync("alice"))
        script.require([.expect(handle, .never, .raw(line))], by: handle)
    }

    /// Returns a RESP array with the extra elements appended.
    private static func elements(_ extras: [[UInt8]], addedTo array: [UInt8]) -> [UInt8] {
        let end = array.firstIndex(of: ASCII.cr) ?? array.count
        let count = Int(String(decoding: array[..<end].dropFirst(), as: UTF8.self)) ?? 0
        let added = extras.map { "\r\n$\($0.count)\r\n\(String(decoding: $0, as: UTF8.self))" }
        return Array("*\(count + extras.count)".utf8) + array[end...] + added.joined().utf8
    }

    private static func extra(_ number: Int, _ subject: Subject) -> [UInt8] {
        guard let keys = subject.dialect.syntax.fromClient.keyValue else {
            return Array("x\(number)".utf8)
        }
        return Array("xkey\(number)".utf8) + [keys.assignment] + Array("\(number)".utf8)
    }

    private static func judge(
        _ tolerance: Tolerance.TooMany, plain: [UInt8], joined: [UInt8], room: Int?,
        _ evidence: inout Evidence
    ) -> Judgement {
        let stimulus = evidence.stimuli.first ?? 0
        let answer = ObservedAnswer(&evidence, stimulus: stimulus)
        let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence).texts
        // The dialect may ignore extra arguments in received lines as well.
        var whole = evidence.joiningExtraFields
        let sent = PeerBytes.received(by: "bob", from: "alice", room: room, in: &whole).texts
        let isJoined = sent.contains { $0.starts(with: joined) }
        let isKept = sent.contains { $0.starts(with: joined.prefix(plain.count + 3)) }
        let word =
            isJoined
            ? "joinLast"
            : isKept ? "other" : received == [plain] ? "ignore" : sent.isEmpty ? "drop" : "other"
        let isRefused = answer.kind == .refused || answer.kind == .closed
        evidence.note(class: isRefused ? answer.className : word)
        switch tolerance {
        case .reject where received.isEmpty: return Reaction.refusal.judge(&evidence)
        case .reject:
            return .failed(
                Finding(
                    "served", expected: Reaction.refusal.words,
                    got: "bob received \(PeerBytes.shown(received))"))
        case .ignore where isKept:
            return PeerBytes.judge([plain], by: "alice", recipient: "bob", room: room, in: &whole)
        case .ignore:
            return PeerBytes.judge(
                [plain], by: "alice", recipient: "bob", room: room, in: &evidence)
        case .joinLast:
            return PeerBytes.judge(
                [joined], by: "alice", recipient: "bob", room: room, in: &evidence)
        case .open: break
        }
        let reaction = Reaction.open.judge(&evidence)
        guard case .observed = reaction else { return reaction }
        return isRefused ? reaction : .observed(word)
    }
}

/// The client line that sends a message in this dialect, split into fields.
struct TalkLine {
    let signature: CommandSignature
    /// Name of the command on the wire.
    let verb: String
    /// The line that sends the message `text`.
    let line: [UInt8]
    let fields: [Range<Int>]

    /// Finds the line; nil if a message is not sent as a single line, or if its command is not in
    /// the table.
    init?(_ subject: Subject) {
        var script = CaseScript("", subject)
        script.enter(room: SeededRandom.sampleRoom, [])
        guard let wire = script.wire("text", by: "alice") else { return nil }
        var message = Message()
        MessageDecoder(subject.dialect).decode(
            wire.line.span, Frame(line: 0..<wire.line.count, whole: 0..<wire.line.count),
            from: .fromClient, into: &message)
        guard let command = message.command else { return nil }
        signature = subject.dialect.commands.signatures[command]
        verb = String(decoding: wire.line[message.split.verb], as: UTF8.self)
        line = wire.line
        var fields: [Range<Int>] = []
        for field in message.split.fields { fields.append(field.value) }
        self.fields = fields
    }

    /// Returns the line without the marker before its last field, if there is one, so that the
    /// field becomes an ordinary one.
    static func bare(_ wire: WireLine, _ text: String, _ subject: Subject) -> WireLine {
        guard let marker = subject.dialect.syntax.fromClient.trailingMarker else { return wire }
        var wire = wire
        let marked = [marker] + Array(text.utf8)
        if wire.line.suffix(marked.count) == marked[...] {
            wire.line.remove(at: wire.line.count - marked.count)
        }
        return wire
    }
}
