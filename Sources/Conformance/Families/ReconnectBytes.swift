import LineProtocol
import Results
import Scenario
import Session

/// The `reconn.mid:bytes` check: when a client is disconnected after any byte of a line, its
/// message is not delivered and its name becomes free again.
enum ReconnectBytes {
    /// Maximum number of offsets to try, spread evenly over the line.
    static let offsetsMax = 24
    /// Number of offsets that are always tried at the end of the line, where it is nearly complete.
    private static let offsetsLast = 4

    /// Creates the check; nil if the dialect has no single-line messages, which show whether a
    /// partial line was executed.
    static func check(_ subject: Subject) -> Check? {
        guard subject.talk?.isOneLine == true else { return nil }
        var check = Check(
            CheckID(ReconnectMid.ruleID, "bytes"),
            "a line cut off at any byte is not executed, and the name becomes free again",
            setting: "behaviours.login", in: subject, level: .robustness
        ) { maker in
            // The line of each case is as long as this one.
            var script = CaseScript("", subject)
            script.enter(room: SeededRandom.sampleRoom, [])
            guard let wire = script.wire(bytes: maker.bytes(), by: "alice") else { return [] }
            return offsets(wire, subject).enumerated().compactMap { number, offset in
                // A reset may discard data that was sent before it; a FIN does not.
                made(offset, number % 3 == 2 ? .abort : .close, &maker)
            }
        }
        check.slowReason = "it cuts a line at \(offsetsMax) positions"
        return check
    }

    /// Returns the offsets at which to close the connection, all of them before the end of the
    /// line.
    static func offsets(_ wire: WireLine, _ subject: Subject) -> [Int] {
        let ends = subject.dialect.framing.fromClient.accepted.map(\.bytes)
        let isEnded = wire.tail.suffix(wire.terminator.count) == wire.terminator[...]
        let whole = wire.bytes.count - (wire.tail.isEmpty || !isEnded ? 1 : wire.terminator.count)
        let all = (1...max(1, whole)).filter { offset in
            let part = wire.bytes.prefix(offset)
            return !wire.tail.isEmpty || !ends.contains { part.suffix($0.count) == $0[...] }
        }
        guard all.count > offsetsMax else { return all }
        let spread = offsetsMax - offsetsLast
        let rest = all.dropLast(offsetsLast)
        let chosen = (0..<spread).map { rest[$0 * rest.count / spread] }
        return chosen + all.suffix(offsetsLast)
    }

    private static func made(
        _ offset: Int, _ end: CaseEnding, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let words = end == .abort ? "a reset" : "a FIN"
        var script = maker.talkingScript("\(words) after byte \(offset)")
        script.barrier("alice", role: .control)
        let text = maker.bytes()
        guard let wire = script.wire(bytes: text, by: "alice"), offset < wire.bytes.count else {
            return nil
        }
        script.note(said: text, by: "alice")
        script.send(.stimulus, Array(wire.bytes.prefix(offset)), by: "alice")
        script.step(.question, end.step(by: "alice"))
        script.freed("alice")
        script.unheard(bytes: text, by: "alice", as: "bob")
        script.barrier("bob")
        let room = script.room
        return script.made { evidence in
            let ran = PeerBytes.ran(
                by: "alice", room: room, expected: "a partial line is not executed", in: &evidence)
            return ran.map { .failed($0) } ?? StaleSession.judge(evidence) ?? evidence.scripted()
        }
    }
}
