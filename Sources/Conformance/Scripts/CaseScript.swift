import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// A builder for a case.
struct CaseScript {
    let title: String
    let subject: Subject
    private(set) var actors: [CaseActor] = []
    private(set) var steps: [CaseStep] = []
    var segmentation = Segmentation.whole
    /// Fragments that only this case uses.
    var fragments: [String] = []
    /// True if the server gets time to close connections before its final state is observed.
    var settles = false
    private(set) var room: Int?
    /// Number of probes added so far.
    private var probeCount = 0
    /// Text and sender of the last message sent; nil if none has been sent.
    private var said: (text: [UInt8], by: CaseActor)?

    init(_ title: String, _ subject: Subject) {
        self.title = title
        self.subject = subject
    }

    /// Returns the actor with this handle or, if there is none, a new one whose name is the handle.
    func actor(_ handle: String) -> CaseActor {
        actors.first { $0.handle == handle } ?? CaseActor(handle: handle, name: handle)
    }

    /// Returns the case with a judge that considers only the case's own expectations.
    func made() -> CheckCase { made(.any) { $0.scripted() } }

    /// Returns the case with the given judge.
    ///
    /// - Parameter reducible: The parts that can be removed without changing the meaning of
    ///   `judge`.
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

    /// Adds the final bystander check: the bystander has received nothing and is still served.
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

    mutating func step(
        _ role: CaseStep.Role, _ text: String, by handle: String? = nil, strict: String? = nil,
        pieces: [[UInt8]]? = nil, topic: [UInt8]? = nil
    ) {
        steps.append(
            CaseStep(
                role: role, text: text, handle: handle, strict: strict, pieces: pieces,
                topic: topic))
    }

    /// Adds a client that connects and, if the dialect has a login, logs in.
    mutating func logIn(_ actor: CaseActor) {
        actors.append(actor)
        guard let login = subject.bound["login"] else {
            step(.setup, "\(actor.handle) connect", by: actor.handle)
            return
        }
        let given = login.takes("name") ? " (name: \"\(actor.name)\")" : ""
        step(.setup, "use login as \(actor.handle)\(given)", by: actor.handle)
    }

    /// Adds a client without connecting it: the case's own steps do that.
    mutating func note(actor: CaseActor) { actors.append(actor) }

    /// Adds a client that connects and logs in with the given step.
    mutating func actorLogsIn(_ actor: CaseActor, _ text: String) {
        actors.append(actor)
        step(.setup, text, by: actor.handle)
    }

    /// Adds a client that connects without logging in.
    mutating func connect(_ actor: CaseActor, role: CaseStep.Role = .setup) {
        actors.append(actor)
        step(role, "\(actor.handle) connect", by: actor.handle)
    }

    /// Adds steps in which these clients enter a room, if the dialect sends messages in rooms.
    mutating func enter(room: Int, _ handles: [String]) {
        guard subject.talk?.isRoom == true else { return }
        self.room = room
        guard subject.has("enter") else { return }
        for handle in handles {
            step(.setup, "use enter as \(handle) (room: \(room))", by: handle)
        }
    }

    /// Adds a step that sends exactly these bytes in one write. If the bytes form a line, the step
    /// is printed as a line.
    mutating func send(
        _ role: CaseStep.Role, _ bytes: [UInt8], by handle: String, strict: String? = nil,
        topic: [UInt8]? = nil
    ) {
        step(
            role, "\(handle) -> \(subject.spelled(bytes))", by: handle, strict: strict,
            pieces: [bytes], topic: topic)
    }

    /// Adds a step that sends these pieces in separate writes with a short pause between them.
    mutating func send(
        _ role: CaseStep.Role, pieces: [[UInt8]], by handle: String, topic: [UInt8]? = nil
    ) {
        step(
            role, "\(handle) -> \(Self.spelled(pieces: pieces))", by: handle, pieces: pieces,
            topic: topic)
    }

    /// Returns the scenario text for these pieces, as written after `->`.
    static func spelled(pieces: [[UInt8]]) -> String {
        pieces.map(SpelledBytes.string).joined(separator: " | 2ms | ")
    }

    /// Returns the scenario text for these bytes, as written after `->`.
    func spelled(_ bytes: [UInt8]) -> String { subject.spelled(bytes) }

    /// Appends text to the last step, only in the scenario file. The text states a requirement as
    /// an expectation, whereas the check itself judges the transcript.
    mutating func strictly(_ text: String) {
        guard let last = steps.indices.last else { return }
        steps[last].strict = "\(steps[last].strict ?? steps[last].text)\n\(text)"
    }

    // MARK: Messages

    /// Returns the arguments for using a behaviour, such as `(room: 7, text: "…")`. Arguments that
    /// the behaviour does not take are left out.
    func arguments(_ parts: [(String, String)], of behaviour: String) -> String {
        let known = subject.bound[behaviour]?.parameters ?? []
        let given = parts.filter { known.contains($0.0) }.map { "\($0.0): \($0.1)" }
        return given.isEmpty ? "" : " (" + given.joined(separator: ", ") + ")"
    }

    /// Adds a step that sends a message with the dialect's behaviour. With the `question` role,
    /// shrinking keeps the step.
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

    /// Text of the last message sent; nil if there is none.
    var lastSaid: [UInt8]? { said?.text }

    /// Records a message that was sent without ``say(_:as:to:role:)``.
    mutating func note(said text: [UInt8], by handle: String) { said = (text, actor(handle)) }

    /// Adds a step that expects a client to receive the given message or, by default, the last one
    /// sent.
    ///
    /// - Parameters:
    ///   - whenWritten: Whether only the scenario file expects the message, because the check
    ///     itself judges the transcript.
    ///   - onlyWhenWritten: Like `whenWritten`, but the check does not wait for the message either.
    ///   - only: Like `whenWritten`, but the scenario file also requires that nothing else arrives.
    ///   - topic: Text of the sent message that causes this one; nil if both are equal.
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
            let unstrict = onlyWhenWritten ? "" : "sync \(handle)"
            self.step(role, unstrict, by: handle, strict: step, topic: topic)
        } else {
            self.step(role, step, by: handle, topic: topic)
        }
    }

    /// Returns the step that expects a client to receive a message from the given sender.
    func hearing(_ text: String, from name: String, as handle: String) -> String {
        guard let talk = subject.talk else { return "" }
        let given = arguments(
            [
                ("from", "\"\(name)\""), ("room", String(room ?? 0)),
                ("text", SpelledBytes.string(Array(text.utf8))),
            ], of: talk.hears)
        return "use \(talk.hears) as \(handle)\(given)"
    }

    /// Adds the requirement that a message does not arrive. The check judges the transcript; the
    /// scenario file uses ``UnheardFragment``.
    mutating func unheard(_ text: String, by speaker: String, as handle: String) {
        unheard(bytes: Array(text.utf8), by: speaker, as: handle)
    }

    /// Adds the requirement that a message consisting of arbitrary bytes does not arrive.
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

    /// Adds the requirement that no more messages arrive from the sender. The check judges the
    /// transcript; the scenario file uses ``UnheardFragment``.
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

    /// Adds a step that waits until everything that the client has sent is answered. Unlike with
    /// ``quiet(_:)``, the client may receive any lines.
    mutating func settled(_ handle: String) { step(.question, "sync \(handle)", by: handle) }

    /// Returns the line that sends a message; nil if the line depends on data from the server.
    func wire(_ text: String, by handle: String, to other: String = "bob") -> WireLine? {
        guard let talk = subject.talk, talk.isOneLine else { return nil }
        let given = [
            "to": Array(actor(other).name.utf8), "room": Array(String(room ?? 0).utf8),
            "text": Array(text.utf8),
        ]
        return WireLine.spoken(by: actor(handle).name, talk.sends, given, subject)
    }

    // MARK: Probes

    /// Adds steps that wait until the server has answered everything sent so far, and then probe
    /// it.
    mutating func barrier(_ handle: String, role: CaseStep.Role = .question) {
        step(role, "sync \(handle)", by: handle)
        probeCount += 1
        let word = "alive\(probeCount)"
        if let alive = AliveFragment(subject) {
            step(role, alive.use(by: handle, word: word), by: handle)
        } else if let effect = SideEffect(subject) {
            step(role, effect.leave(word, by: actor(handle)), by: handle)
            step(role, effect.read(word, by: actor(handle)), by: handle)
        }
    }

    /// Adds a step that sends the dialect's probe as a stimulus, with the given terminator. Returns
    /// the probe's token, for ``answered(_:_:)``; nil if the dialect has no probe.
    mutating func ask(_ handle: String, terminator: [UInt8]? = nil) -> String? {
        guard let alive = AliveFragment(subject) else { return nil }
        probeCount += 1
        let word = "asked\(probeCount)"
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

    /// Adds a step that expects the answer to a probe that ``ask(_:terminator:)`` sent.
    mutating func answered(_ handle: String, _ word: String) {
        guard let alive = AliveFragment(subject) else { return }
        step(
            .question, alive.answered(by: handle, word: word), by: handle, topic: Array(word.utf8))
    }

    /// Adds steps that expect these clients to receive nothing else.
    mutating func quiet(_ handles: [String]) {
        for handle in handles {
            step(.question, "sync \(handle)", by: handle, strict: "\(handle) quiet")
        }
    }
}

extension CaseScript {
    /// Adds a step that sends a modified message. `change` receives the dialect's line and returns
    /// the pieces to send, each in its own write.
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

    /// Returns the case with a judge that requires bob to receive the messages in `texts` (by
    /// default, alice's last message) and nothing else. Alice's messages must not be refused.
    func judgedByPeer(texts: [[UInt8]]? = nil) -> CheckCase {
        let texts = texts ?? lastSaid.map { [$0] } ?? []
        let room = room
        return made(.texts) { evidence in
            let judgement = PeerBytes.judge(
                evidence.testCase.expected(texts), by: "alice", recipient: "bob", room: room,
                in: &evidence
            )
            if case .failed = judgement { return judgement }
            for stimulus in evidence.stimuli {
                let answer = ObservedAnswer(&evidence, stimulus: stimulus)
                guard answer.kind == .refused else { continue }
                return .failed(
                    Finding("refused", expected: "no refusal", got: answer.words))
            }
            return judgement
        }
    }
}
