import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// Puts a case together, step by step.
struct CaseScript {
    let title: String
    let subject: Subject
    private(set) var actors: [Actor] = []
    private(set) var steps: [CaseStep] = []
    var segmentation = Segmentation.whole
    /// Fragments of its own that steps use.
    var fragments: [String] = []
    /// Whether the server is given time to close what was closed, before it is looked at.
    var settles = false
    private(set) var room: Int?
    /// How often somebody was asked whether the server is there.
    private var asked = 0
    /// The text that was said last, and by whom.
    private var said: (text: [UInt8], by: Actor)?

    init(_ title: String, _ subject: Subject) {
        self.title = title
        self.subject = subject
    }

    /// Who is called so.
    func actor(_ handle: String) -> Actor {
        actors.first { $0.handle == handle } ?? Actor(handle: handle, name: handle)
    }

    /// The case, judged by its own expectations alone.
    func made() -> CheckCase { made(.any) { $0.scripted() } }

    /// The case, judged by what `judge` reads.
    ///
    /// - Parameter reducible: what of it may be left out so that `judge` still judges the same.
    func made(
        _ reducible: CheckCase.Reducible = .none,
        judge: @escaping @Sendable (inout Evidence) -> Judgement
    ) -> CheckCase {
        var asking = self
        asking.askBystander()
        return CheckCase(
            title: title, actors: actors, steps: asking.steps, fragments: fragments,
            segmentation: segmentation, patience: subject.patience, settles: settles,
            reducible: reducible,
            judge: { evidence in
                let judgement = SideEffect.judge(judge(&evidence), in: evidence)
                return Bystander.judge(
                    CountedBarrier.judge(judgement, in: &evidence), in: &evidence)
            })
    }

    /// W: in the end the bystander is asked: nothing has come, and it is served as before.
    private mutating func askBystander() {
        let handle = Bystander.handle
        let isThere = actors.contains { $0.handle == handle }
        guard isThere, let last = steps.last, last.handle != handle,
            subject.hasBystander,
            !steps.contains(where: { $0.role == .stimulus && $0.handle == handle })
        else { return }
        quiet([handle])
        barrier(handle)
    }

    // MARK: Steps

    /// Adds a step as it stands.
    mutating func step(
        _ role: CaseStep.Role, _ text: String, by handle: String? = nil, strict: String? = nil,
        pieces: [[UInt8]]? = nil, topic: [UInt8]? = nil
    ) {
        steps.append(
            CaseStep(
                role: role, text: text, handle: handle, strict: strict, pieces: pieces,
                topic: topic))
    }

    /// Somebody connects, and logs in where the dialect knows that.
    mutating func logIn(_ actor: Actor) {
        actors.append(actor)
        guard let login = subject.bound["login"] else {
            step(.setup, "\(actor.handle) connect", by: actor.handle)
            return
        }
        let given = login.takes("name") ? " (name: \"\(actor.name)\")" : ""
        step(.setup, "use login as \(actor.handle)\(given)", by: actor.handle)
    }

    /// Somebody takes part whose connections are steps of the case.
    mutating func note(actor: Actor) { actors.append(actor) }

    /// Somebody connects, and logs in by this step.
    mutating func actorLogsIn(_ actor: Actor, _ text: String) {
        actors.append(actor)
        step(.setup, text, by: actor.handle)
    }

    /// Somebody connects and does not log in.
    mutating func connect(_ actor: Actor, role: CaseStep.Role = .setup) {
        actors.append(actor)
        step(role, "\(actor.handle) connect", by: actor.handle)
    }

    /// All of these enter a room, where the dialect knows rooms and texts are said there.
    mutating func enter(room: Int, _ handles: [String]) {
        guard subject.talk?.isRoom == true else { return }
        self.room = room
        guard subject.has("enter") else { return }
        for handle in handles {
            step(.setup, "use enter as \(handle) (room: \(room))", by: handle)
        }
    }

    /// Sends exactly these bytes in one write. They are shown as a line where they are one.
    mutating func send(
        _ role: CaseStep.Role, _ bytes: [UInt8], by handle: String, strict: String? = nil,
        topic: [UInt8]? = nil
    ) {
        step(
            role, "\(handle) -> \(subject.spelled(bytes))", by: handle, strict: strict,
            pieces: [bytes], topic: topic)
    }

    /// Sends these pieces in writes of their own, a moment apart.
    mutating func send(
        _ role: CaseStep.Role, pieces: [[UInt8]], by handle: String, topic: [UInt8]? = nil
    ) {
        step(
            role, "\(handle) -> \(Self.spelled(pieces: pieces))", by: handle, pieces: pieces,
            topic: topic)
    }

    /// Pieces as they stand behind an arrow.
    static func spelled(pieces: [[UInt8]]) -> String {
        pieces.map(SpelledBytes.string).joined(separator: " | 2ms | ")
    }

    /// Bytes as they stand behind an arrow.
    func spelled(_ bytes: [UInt8]) -> String { subject.spelled(bytes) }

    /// The scenario that is written down says this behind the last step, too: the claim as an expectation, where
    /// the check itself looks at what came.
    mutating func strictly(_ text: String) {
        guard let last = steps.indices.last else { return }
        steps[last].strict = "\(steps[last].strict ?? steps[last].text)\n\(text)"
    }

    // MARK: Texts

    /// What a text is given by: `(room: 7, text: "…")`.
    func arguments(_ parts: [(String, String)], of behaviour: String) -> String {
        let known = subject.bound[behaviour]?.parameters ?? []
        let given = parts.filter { known.contains($0.0) }.map { "\($0.0): \($0.1)" }
        return given.isEmpty ? "" : " (" + given.joined(separator: ", ") + ")"
    }

    /// Somebody says a text to the others, by the dialect's behaviour. As a question it stays, whatever stimulus is
    /// left out.
    mutating func say(
        _ text: String, as handle: String, to other: String = "bob", role: CaseStep.Role = .stimulus
    ) {
        guard let talk = subject.talk else { return }
        let given = arguments(
            [
                ("to", "\"\(actor(other).name)\""), ("room", String(room ?? 0)),
                ("text", SpelledBytes.string(Array(text.utf8))),
            ], of: talk.sends)
        let topic = Array(text.utf8)
        step(
            role, "use \(talk.sends) as \(handle)\(given)", by: handle,
            topic: role == .question ? nil : topic)
        said = (topic, actor(handle))
    }

    /// What was said last.
    var lastSaid: [UInt8]? { said?.text }

    /// Notes what was said in another way than by ``say(_:as:to:role:)``.
    mutating func note(said text: [UInt8], by handle: String) { said = (text, actor(handle)) }

    /// Somebody hears what was said last, or the given text.
    ///
    /// - Parameters:
    ///   - whenWritten: whether only the scenario that is written down says so, because the check itself looks
    ///     at what came.
    ///   - onlyWhenWritten: the same, and the case itself does not even wait here.
    ///   - only: whether that scenario also says that nothing else comes.
    ///   - topic: the text by which it was said, if that is another.
    mutating func hear(
        _ text: [UInt8]? = nil, as handle: String, role: CaseStep.Role = .question,
        whenWritten: Bool = false, onlyWhenWritten: Bool = false, only: Bool = false,
        topic: [UInt8]? = nil
    ) {
        guard let talk = subject.talk, let said else { return }
        let given = arguments(
            [
                ("from", "\"\(said.by.name)\""), ("room", String(room ?? 0)),
                ("text", SpelledBytes.string(text ?? said.text)),
            ], of: talk.hears)
        let topic = topic ?? text ?? said.text
        var step = "use \(talk.hears) as \(handle)\(given)"
        if only { step += "\n\(handle) quiet" }
        if whenWritten || onlyWhenWritten || only {
            let played = onlyWhenWritten ? "" : "sync \(handle)"
            self.step(role, played, by: handle, strict: step, topic: topic)
        } else {
            self.step(role, step, by: handle, topic: topic)
        }
    }

    /// The step by which somebody hears a text from whoever has this name.
    func hearing(_ text: String, from name: String, as handle: String) -> String {
        guard let talk = subject.talk else { return "" }
        let given = arguments(
            [
                ("from", "\"\(name)\""), ("room", String(room ?? 0)),
                ("text", SpelledBytes.string(Array(text.utf8))),
            ], of: talk.hears)
        return "use \(talk.hears) as \(handle)\(given)"
    }

    /// A text that must not be heard. The check itself looks at what came; the scenario that is written down
    /// says it by ``UnheardFragment``.
    mutating func unheard(_ text: String, by speaker: String, as handle: String) {
        unheard(bytes: Array(text.utf8), by: speaker, as: handle)
    }

    /// The same of a text of any bytes.
    mutating func unheard(bytes text: [UInt8], by speaker: String, as handle: String) {
        let barrier = "sync \(handle)"
        guard let talk = subject.talk, UnheardFragment(subject) != nil else {
            step(.question, barrier, by: handle)
            return
        }
        let given = arguments(
            [
                ("from", "\"\(actor(speaker).name)\""), ("room", String(room ?? 0)),
                ("text", SpelledBytes.string(text)),
            ], of: talk.hears)
        step(
            .question, barrier, by: handle,
            strict: "use \(UnheardFragment.name) as \(handle)\(given)")
    }

    /// Nothing from the speaker may be heard any more. The check itself looks at what came; the written
    /// scenario says it by ``UnheardFragment``.
    mutating func unheardAnything(by speaker: String, as handle: String) {
        let barrier = "sync \(handle)"
        guard let talk = subject.talk, UnheardFragment(subject) != nil else {
            step(.question, barrier, by: handle)
            return
        }
        let given = arguments(
            [("from", "\"\(actor(speaker).name)\""), ("room", String(room ?? 0))], of: talk.hears)
        step(
            .question, barrier, by: handle,
            strict: "use \(UnheardFragment.anyName) as \(handle)\(given)")
    }

    /// All that was sent is answered, or time is over, and nothing more is asked.
    mutating func settled(_ handle: String) { step(.question, "sync \(handle)", by: handle) }

    /// The bytes by which somebody says a text; nil where they depend on what the server says.
    func wire(_ text: String, by handle: String, to other: String = "bob") -> WireLine? {
        guard let talk = subject.talk, talk.isOneLine else { return nil }
        let given = [
            "to": Array(actor(other).name.utf8), "room": Array(String(room ?? 0).utf8),
            "text": Array(text.utf8),
        ]
        return WireLine.spoken(by: actor(handle).name, talk.sends, given, subject)
    }

    // MARK: Questions

    /// Waits until the server has answered what was sent before, and is then asked whether it is there still.
    mutating func barrier(_ handle: String, role: CaseStep.Role = .question) {
        step(role, "sync \(handle)", by: handle)
        asked += 1
        let word = "alive\(asked)"
        if let alive = AliveFragment(subject) {
            step(role, alive.use(by: handle, word: word), by: handle)
        } else if let effect = SideEffect(subject) {
            step(role, effect.leave(word, by: actor(handle)), by: handle)
            step(role, effect.read(word, by: actor(handle)), by: handle)
        }
    }

    /// Sends the dialect's probe as a stimulus, with this terminator; returns its word, for ``answered(_:_:)``.
    mutating func ask(_ handle: String, terminator: [UInt8]? = nil) -> String? {
        guard let alive = AliveFragment(subject) else { return nil }
        asked += 1
        let word = "asked\(asked)"
        if let terminator {
            guard let probe = alive.wire(word: word, subject) else { return nil }
            send(
                .stimulus, probe.line + terminator + probe.tail, by: handle,
                topic: Array(word.utf8))
        } else {
            step(
                .stimulus, alive.ask(by: handle, word: word), by: handle, topic: Array(word.utf8))
        }
        return word
    }

    /// The answer to what ``ask(_:terminator:)`` sent has to come.
    mutating func answered(_ handle: String, _ word: String) {
        guard let alive = AliveFragment(subject) else { return }
        step(
            .question, alive.answered(by: handle, word: word), by: handle, topic: Array(word.utf8))
    }

    /// Nothing may come any more for these.
    mutating func quiet(_ handles: [String]) {
        for handle in handles {
            step(.question, "sync \(handle)", by: handle, strict: "\(handle) quiet")
        }
    }
}

extension CaseScript {
    /// Somebody says a text with bytes of our own making: what `change` makes of the dialect's line, each piece
    /// a write of its own.
    mutating func speak(
        _ text: String, by handle: String, change: (WireLine) -> [[UInt8]] = { [$0.bytes] }
    ) {
        guard let wire = wire(text, by: handle) else { return }
        let pieces = change(wire)
        let topic = Array(text.utf8)
        if pieces.count == 1 {
            send(.stimulus, pieces[0], by: handle, topic: topic)
        } else {
            send(.stimulus, pieces: pieces, by: handle, topic: topic)
        }
        note(said: topic, by: handle)
    }

    /// The case, judged by what bob heard from alice: what she said last, or these texts, and nothing else;
    /// and she is not refused.
    func judgedByPeer(texts: [[UInt8]]? = nil) -> CheckCase {
        let texts = texts ?? lastSaid.map { [$0] } ?? []
        let room = room
        return made(.texts) { evidence in
            let heard = PeerBytes.judge(
                evidence.play.expected(texts), by: "alice", hearer: "bob", room: room, in: &evidence
            )
            if case .failed = heard { return heard }
            for stimulus in evidence.stimuli {
                let answer = Answer(&evidence, stimulus: stimulus)
                guard answer.kind == .refused else { continue }
                return .failed(
                    Finding("refused", expected: "no refusal", got: answer.words))
            }
            return heard
        }
    }
}
