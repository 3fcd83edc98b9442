import LineProtocol
import Results
import Session

/// `reconn.mid:login`: a client cut off at any byte of its login can log in with the same name at
/// once.
enum ReconnectLogin {
    /// How connections end; used in turn.
    private static let ends: [(words: String, action: String, segmentation: Segmentation)] = [
        ("a FIN", "close", .whole), ("a FIN in the same segment", "close", .finWithData),
        ("a reset", "abort", .whole),
    ]

    /// Nil if nothing shows that a name is free, or the login depends on what the server sends.
    static func check(_ subject: Subject) -> Check? {
        guard let parts = LoginParts(subject), subject.has("probe"), subject.reportsFreeNames,
            parts.bytes(name: "alice", word: "word", subject) != nil
        else { return nil }
        var check = Check(
            CheckID(ReconnectMid.ruleID, "login"),
            "after a close at any byte of a login, its name becomes free again",
            setting: "behaviours.login", in: subject, level: .robustness
        ) { maker in
            (1...ReconnectBytes.offsetsMax).compactMap { made($0, parts, &maker) }
        }
        check.slowReason = "it cuts a login at \(ReconnectBytes.offsetsMax) positions"
        return check
    }

    /// The connection ends at one of evenly spread offsets in the login, the last one right after
    /// it.
    private static func made(
        _ number: Int, _ parts: LoginParts, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let alice = Actor(handle: "alice", name: maker.word())
        let login = parts.bytes(name: alice.name, word: maker.word(), maker.subject)
        guard let login, number <= login.count else { return nil }
        let offsetsMax = min(ReconnectBytes.offsetsMax, login.count)
        let offset = login.count * number / offsetsMax
        // The last one ends with a FIN in the login's last segment.
        let end = ends[(offsetsMax - number + 1) % ends.count]
        // The control is another client's login.
        var script = maker.script("\(end.words) after byte \(offset) of the login", ["bob"])
        script.segmentation = end.segmentation
        script.barrier("bob", role: .control)
        script.connect(alice)
        script.send(.stimulus, Array(login.prefix(offset)), by: "alice")
        // Not a stimulus: without the close the name is rightly taken, so shrinking must not remove
        // it.
        script.step(.question, "alice \(end.action)", by: "alice")
        script.freed("alice")
        script.barrier("bob")
        return script.made { StaleSession.judge($0) ?? $0.scripted() }
    }
}
