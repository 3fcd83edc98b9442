import DialectModel
import LineProtocol
import Scenario

/// Steps that send messages of arbitrary bytes.
extension CaseScript {
    /// Returns the line that sends a message; nil if the dialect cannot express the message.
    func wire(bytes text: [UInt8], by handle: String, to other: String = "bob") -> WireLine? {
        guard let talk = subject.talk, talk.isOneLine else { return nil }
        let given = [
            "to": Array(actor(other).name.utf8), "room": Array(String(room ?? 0).utf8),
            "text": text,
        ]
        return WireLine.spoken(by: actor(handle).name, talk.sends, given, subject)
    }

    /// Adds a step that sends a message, encoded according to the dialect. If the dialect cannot
    /// express the message, adds no step and returns false.
    @discardableResult
    mutating func speak(
        bytes text: [UInt8], by handle: String, to other: String = "bob",
        role: CaseStep.Role = .stimulus, thenSync: Bool = false
    ) -> Bool {
        guard let wire = wire(bytes: text, by: handle, to: other) else { return false }
        send(
            role, wire.bytes, by: handle, requires: thenSync ? settling(handle) : [], topic: text)
        note(said: text, by: handle)
        return true
    }

    /// Returns steps for the scenario file in which a sender waits for the answers to its message.
    /// If it also receives the message itself, the answers are read later, with the message.
    func settling(_ handle: String) -> [Step] {
        let answers = EchoedFragment(subject) == nil ? subject.talkAnswers : []
        return answers.map { $0.by(handle) } + [.sync(handle)]
    }

    /// Returns the line for a message with these bytes as its body, unescaped; nil if the dialect
    /// has no such line.
    func wire(raw: [UInt8], by handle: String) -> WireLine? {
        // If the dialect has trailing arguments, the word contains a space, so that it is encoded
        // as one.
        let isTrailing = subject.dialect.syntax.fromClient.trailingMarker != nil
        let word = Array((isTrailing ? "qqtext qqtext" : "qqtextqq").utf8)
        guard var wire = wire(bytes: word, by: handle) else { return nil }
        // A payload or a RESP string can contain any bytes, because its length is declared.
        guard wire.tail.isEmpty, !subject.dialect.syntax.fromClient.resp else {
            return self.wire(bytes: raw, by: handle)
        }
        guard let range = wire.line.firstRange(of: word) else { return nil }
        wire.line.replaceSubrange(range, with: raw)
        return wire
    }

    /// Adds a step that sends raw bytes in place of an encoded message. `text` is the message that
    /// should be delivered.
    ///
    /// - Parameter requires: Expectations of the scenario file after the step.
    mutating func speak(
        raw: [UInt8], text: [UInt8], by handle: String, requires: [Step] = []
    ) {
        guard let wire = wire(raw: raw, by: handle) else { return }
        send(.stimulus, wire.bytes, by: handle, requires: requires, topic: text)
        note(said: text, by: handle)
    }

    /// Adds steps in which alice sends these messages one by one, and bob is expected to receive
    /// each of them and nothing else. Returns the messages sent; messages that the dialect cannot
    /// express are skipped.
    mutating func exchange(_ texts: [[UInt8]]) -> [[UInt8]] {
        var said: [[UInt8]] = []
        for text in texts where speak(bytes: text, by: "alice") {
            hear(text, as: "bob")
            said.append(text)
        }
        barrier("alice")
        quiet(["bob"])
        return said
    }
}

extension CaseMaker {
    /// Returns the bytes of an unused word.
    mutating func bytes() -> [UInt8] { Array(word().utf8) }
}
