import DialectModel
import LineProtocol
import Scenario

/// The logins with which a case begins, split so that all clients send their logins before the
/// first of them waits for an answer. Some servers take a second or more to admit a client, but
/// admit several at the same time.
struct JointLogin {
    private static let word = "joint"

    /// The steps that come first, each with the index of the login in the case.
    let openings: [(index: Int, step: Step)]
    /// The steps that replace the logins, by the index of the login in the case.
    let completions: [Int: Step]
    let fragments: [Fragment]
    /// Login names by handle. The scenario does not use `login`, which would set them.
    let loginNames: [String: [UInt8]]

    /// Creates the parts; nil if the case does not begin with ordinary logins of several clients,
    /// or if the login cannot be split.
    init?(_ testCase: CheckCase, _ subject: Subject) {
        guard let login = subject.bound["login"], let parts = LoginParts(subject) else {
            return nil
        }
        let (opening, completion) = (parts.opening, parts.completion)
        guard !opening.steps.isEmpty, !completion.steps.isEmpty else { return nil }
        let actors = Dictionary(testCase.actors.map { ($0.handle, $0) }) { first, _ in first }
        var handles: Set<String> = []
        let logins = testCase.steps.prefix { step in
            guard step.role == .setup, let actor = step.handle.flatMap({ actors[$0] }) else {
                return false
            }
            return step.steps == [login.use(by: actor)] && handles.insert(actor.handle).inserted
        }
        guard logins.count > 1 else { return nil }
        func steps(_ fragment: Fragment) -> [(index: Int, step: Step)] {
            logins.enumerated().compactMap { index, step in
                step.handle.flatMap { actors[$0] }.map {
                    (index, parts.use(fragment.name.text, by: $0, word: Self.word))
                }
            }
        }
        loginNames = actors.filter { handles.contains($0.key) }.mapValues { Array($0.name.utf8) }
        openings = steps(opening)
        completions = Dictionary(steps(completion)) { first, _ in first }
        fragments = [opening, completion].filter { fragment in
            !testCase.fragments.contains { $0.name.text == fragment.name.text }
        }
    }
}
