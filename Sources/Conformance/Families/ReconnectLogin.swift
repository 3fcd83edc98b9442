import LineProtocol
import Results
import Scenario
import Session

/// The `reconn.mid:login` check: a client that is disconnected after any byte of its login can log
/// in with the same name immediately.
enum ReconnectLogin {
    /// Ways to close connections, used in rotation.
    private static let ends: [(words: String, end: CaseEnding, segmentation: Segmentation)] = [
        ("a FIN", .close, .whole), ("a FIN in the same segment", .close, .finWithData),
        ("a reset", .abort, .whole),
    ]

    /// Creates the check; nil if a login can succeed while the name is still taken, or if the login
    /// depends on data from the server.
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

    /// Creates a case that closes the connection at one of several evenly spaced offsets in the
    /// login. The last offset is the end of the login. Returns nil if the login is shorter than
    /// `number` bytes.
    private static func made(
        _ number: Int, _ parts: LoginParts, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let alice = CaseActor(handle: "alice", name: maker.word())
        let login = parts.bytes(name: alice.name, word: maker.word(), maker.subject)
        guard let login, number <= login.count else { return nil }
        let offsetsMax = min(ReconnectBytes.offsetsMax, login.count)
        let offset = login.count * number / offsetsMax
        // At the last offset, the FIN is in the same segment as the end of the login.
        let end = ends[(offsetsMax - number + 1) % ends.count]
        // Another client's login is the control.
        var script = maker.script("\(end.words) after byte \(offset) of the login", ["bob"])
        script.segmentation = end.segmentation
        script.barrier("bob", role: .control)
        script.connect(alice)
        script.send(.stimulus, Array(login.prefix(offset)), by: "alice")
        // The close is not a stimulus, so that shrinking does not remove it: without the close, the
        // name would rightly be in use.
        script.step(.question, end.end.step(by: "alice"))
        script.freed("alice")
        script.barrier("bob")
        return script.made { StaleSession.judge($0) ?? $0.scripted() }
    }
}
