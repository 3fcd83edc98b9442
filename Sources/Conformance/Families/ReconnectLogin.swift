import LineProtocol
import Results
import Session

/// reconn.mid:login: whoever is cut at any byte of a login can log in under the same name at once.
enum ReconnectLogin {
    /// How a connection ends; these take turns.
    private static let ends: [(words: String, action: String, segmentation: Segmentation)] = [
        ("a FIN", "close", .whole), ("a FIN in the same segment", "close", .finWithData),
        ("a reset", "abort", .whole),
    ]

    /// Nil where nothing tells that a name is free, and where what the login sends depends on what the server says.
    static func check(_ subject: Subject) -> Check? {
        guard let parts = LoginParts(subject), subject.has("probe"), subject.tellsFreeNames,
            parts.bytes(name: "alice", word: "word", subject) != nil
        else { return nil }
        var check = Check(
            CheckID(ReconnectMid.row, "login"),
            "after an end at any byte of a login its name is free",
            rule: "behaviours.login", in: subject, level: .robustness
        ) { maker in
            (1...ReconnectBytes.placesMax).compactMap { made($0, parts, &maker) }
        }
        check.slowReason = "it cuts a login at \(ReconnectBytes.placesMax) places"
        return check
    }

    /// The connection ends so many of all places on in the login; at the last, right behind it.
    private static func made(
        _ number: Int, _ parts: LoginParts, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let alice = Actor(handle: "alice", name: maker.word())
        let login = parts.bytes(name: alice.name, word: maker.word(), maker.subject)
        guard let login, number <= login.count else { return nil }
        let placesMax = min(ReconnectBytes.placesMax, login.count)
        let place = login.count * number / placesMax
        // The last one with a FIN in the segment that ends the login.
        let end = ends[(placesMax - number + 1) % ends.count]
        // The plain form is another one's login.
        var script = maker.script("\(end.words) behind byte \(place) of the login", ["bob"])
        script.segmentation = end.segmentation
        script.barrier("bob", role: .control)
        script.connect(alice)
        script.send(.stimulus, Array(login.prefix(place)), by: "alice")
        // Not as a stimulus: without the end the name is rightly taken, so it must not be left out.
        script.step(.question, "alice \(end.action)", by: "alice")
        script.freed("alice")
        script.barrier("bob")
        return script.made { StaleSession.judge($0) ?? $0.scripted() }
    }
}
