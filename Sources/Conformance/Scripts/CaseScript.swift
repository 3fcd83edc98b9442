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
    var fragments: [Fragment] = []
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
            segmentation: segmentation, patience: subject.patience + subject.loginTime,
            loginTime: subject.loginTime, settles: settles,
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

    /// Adds a step.
    ///
    /// - Parameters:
    ///   - handle: The acting client; nil if the step itself names the only one.
    ///   - requires: Expectations of the scenario file; see ``CaseStep/requires``.
    ///   - topic: The message that the step sends or expects; nil if it does neither.
    mutating func step(
        _ role: CaseStep.Role, _ step: Step, by handle: String? = nil, requires: [Step] = [],
        topic: [UInt8]? = nil
    ) {
        steps.append(
            CaseStep(
                role: role, steps: [step], handle: handle ?? step.handle, requires: requires,
                topic: topic))
    }

    /// Adds a requirement that only the scenario file states, because the check itself judges the
    /// transcript.
    mutating func require(_ steps: [Step], by handle: String, topic: [UInt8]? = nil) {
        self.steps.append(
            CaseStep(role: .question, steps: [], handle: handle, requires: steps, topic: topic))
    }

    /// Adds expectations to the last step, only in the scenario file.
    mutating func require(_ expectations: [Step]) {
        guard let last = steps.indices.last else { return }
        steps[last].requires += expectations
    }

    /// Adds a client that connects and, if the dialect has a login, logs in.
    mutating func logIn(_ actor: CaseActor) {
        actors.append(actor)
        guard let login = subject.bound["login"] else {
            step(.setup, .connect(actor.handle))
            return
        }
        step(.setup, login.use(by: actor))
    }

    /// Adds a client without connecting it: the case's own steps do that.
    mutating func note(actor: CaseActor) { actors.append(actor) }

    /// Adds a client that connects and logs in with the given step.
    mutating func actorLogsIn(_ actor: CaseActor, _ login: Step) {
        actors.append(actor)
        step(.setup, login)
    }

    /// Adds a client that connects without logging in.
    mutating func connect(_ actor: CaseActor, role: CaseStep.Role = .setup) {
        actors.append(actor)
        step(role, .connect(actor.handle))
    }

    /// Adds steps in which these clients enter a room, if the dialect sends messages in rooms.
    mutating func enter(room: Int, _ handles: [String]) {
        guard subject.talk?.isRoom == true else { return }
        self.room = room
        guard subject.has("enter") else { return }
        for handle in handles {
            step(.setup, .use("enter", as: handle, [Argument("room", .int(room))]))
        }
    }

    /// Adds a step that sends exactly these bytes in one write. If the bytes form a line, the step
    /// is printed as a line.
    mutating func send(
        _ role: CaseStep.Role, _ bytes: [UInt8], by handle: String, requires: [Step] = [],
        topic: [UInt8]? = nil
    ) {
        step(role, .send(handle, subject.message(bytes)), requires: requires, topic: topic)
    }

    /// Adds a step that sends these pieces in separate writes with a short pause between them.
    mutating func send(
        _ role: CaseStep.Role, pieces: [[UInt8]], by handle: String, topic: [UInt8]? = nil
    ) {
        step(role, .send(handle, Subject.raw(pieces)), topic: topic)
    }

    // MARK: Messages

    /// Returns the arguments for using a behaviour, such as `(room: 7, text: "…")`. Arguments that
    /// the behaviour does not take are left out.
    func arguments(_ parts: [(String, Value)], of behaviour: String) -> [Argument] {
        let known = subject.bound[behaviour]?.parameters ?? []
        return parts.filter { known.contains($0.0) }.map { Argument($0.0, $0.1) }
    }

    /// Adds a step that sends a message with the dialect's behaviour. With the `question` role,
    /// shrinking keeps the step.
    mutating func say(
        _ text: String, as handle: String, to other: String = "bob", role: CaseStep.Role = .stimulus
    ) {
        guard let talk = subject.talk else { return }
        let given = arguments(
            [
                ("to", .text(actor(other).name)), ("room", .int(room ?? 0)),
                ("text", .spelled(Array(text.utf8))),
            ], of: talk.sends)
        let topic = Array(text.utf8)
        step(
            role, .use(talk.sends, as: handle, given), topic: role == .question ? nil : topic)
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
    ///   - topic: Text of the sent message that causes this one; nil if both are equal.
    mutating func hear(
        _ text: [UInt8]? = nil, as handle: String, role: CaseStep.Role = .question,
        whenWritten: Bool = false, onlyWhenWritten: Bool = false, topic: [UInt8]? = nil
    ) {
        guard let talk = subject.talk, let said else { return }
        let given = arguments(
            [
                ("from", .text(said.by.name)), ("room", .int(room ?? 0)),
                ("text", .spelled(text ?? said.text)),
            ], of: talk.hears)
        let topic = topic ?? text ?? said.text
        let hearing = Step.use(talk.hears, as: handle, given)
        if onlyWhenWritten {
            require([hearing], by: handle, topic: topic)
        } else if whenWritten {
            step(role, .sync(handle), requires: [hearing], topic: topic)
        } else {
            step(role, hearing, topic: topic)
        }
    }

    /// Returns the step that expects a client to receive a message from the given sender.
    ///
    /// - Parameter fragment: Name of the fragment that expects the message; nil for the dialect's
    ///   receiving behaviour.
    func hearing(
        _ text: [UInt8], from name: String, as handle: String, with fragment: String? = nil
    ) -> [Step] {
        guard let talk = subject.talk else { return [] }
        let given = arguments(
            [("from", .text(name)), ("room", .int(room ?? 0)), ("text", .spelled(text))],
            of: talk.hears)
        return [.use(fragment ?? talk.hears, as: handle, given)]
    }

    /// Adds the requirement that a message does not arrive. The check judges the transcript; the
    /// scenario file uses ``UnheardFragment``.
    mutating func unheard(_ text: String, by speaker: String, as handle: String) {
        unheard(bytes: Array(text.utf8), by: speaker, as: handle)
    }

    /// Adds the requirement that a message consisting of arbitrary bytes does not arrive.
    mutating func unheard(bytes text: [UInt8], by speaker: String, as handle: String) {
        unheard(UnheardFragment.name, [("text", .spelled(text))], by: speaker, as: handle)
    }

    /// Adds the requirement that no more messages arrive from the sender. The check judges the
    /// transcript; the scenario file uses ``UnheardFragment``.
    mutating func unheardAnything(by speaker: String, as handle: String) {
        unheard(UnheardFragment.anyName, [], by: speaker, as: handle)
    }

    private mutating func unheard(
        _ fragment: String, _ text: [(String, Value)], by speaker: String, as handle: String
    ) {
        var requires: [Step] = []
        if let talk = subject.talk, UnheardFragment(subject) != nil {
            let given = arguments(
                [("from", .text(actor(speaker).name)), ("room", .int(room ?? 0))] + text,
                of: talk.hears)
            requires = [.use(fragment, as: handle, given)]
        }
        step(.question, .sync(handle), requires: requires)
    }

    /// Adds a step that waits until everything that the client has sent is answered. Unlike with
    /// ``quiet(_:)``, the client may receive any lines.
    mutating func settled(_ handle: String) { step(.question, .sync(handle)) }

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
    ///
    /// - Parameter mayClose: Whether the server may close the connection instead of answering, after
    ///   the client's last stimulus. The check judges that itself. The scenario file sends the probe
    ///   right after the stimulus, because it could not be sent on a closed connection.
    mutating func barrier(
        _ handle: String, role: CaseStep.Role = .question, mayClose: Bool = false
    ) {
        probeCount += 1
        let word = "alive\(probeCount)"
        let alive = AliveFragment(subject)
        var requires: [Step] = []
        if mayClose, let alive,
            let stimulus = steps.lastIndex(where: { $0.role == .stimulus && $0.handle == handle })
        {
            steps[stimulus].requires.append(alive.ask(by: handle, word: word))
            requires = [alive.answeredOrClosed(by: handle, word: word)]
        }
        step(role, .sync(handle), requires: requires)
        if let alive {
            step(role, alive.use(by: handle, word: word))
        } else if let effect = SideEffect(subject) {
            step(role, effect.leave(word, by: actor(handle)))
            step(role, effect.read(word, by: actor(handle)))
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
            step(.stimulus, alive.ask(by: handle, word: word), topic: Array(word.utf8))
        }
        return word
    }

    /// Adds a step that expects the answer to a probe that ``ask(_:terminator:)`` sent.
    mutating func answered(_ handle: String, _ word: String) {
        guard let alive = AliveFragment(subject) else { return }
        step(.question, alive.answered(by: handle, word: word), topic: Array(word.utf8))
    }

    /// Adds steps that expect these clients to receive nothing else.
    mutating func quiet(_ handles: [String]) {
        for handle in handles {
            step(.question, .sync(handle), requires: [.quiet(handle)])
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
    ///
    /// - Parameter inOrder: Whether the messages must arrive in this order.
    func judgedByPeer(texts: [[UInt8]]? = nil, inOrder: Bool = false) -> CheckCase {
        let texts = texts ?? lastSaid.map { [$0] } ?? []
        let room = room
        return made(.texts) { evidence in
            let judgement = PeerBytes.judge(
                evidence.testCase.expected(texts), by: "alice", recipient: "bob", room: room,
                inOrder: inOrder, in: &evidence
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

extension BoundBehaviour {
    /// Returns the step in which a client logs in with this behaviour.
    func use(by actor: CaseActor) -> Step {
        .use(name, as: actor.handle, takes("name") ? [Argument("name", .text(actor.name))] : [])
    }
}
