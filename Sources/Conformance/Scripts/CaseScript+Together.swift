import DialectModel
import LineProtocol
import Scenario

extension CaseScript {
    /// Adds clients that log in at the same time, and returns their handles. Some servers admit
    /// only one client per second, so each login is split at its first expectation.
    mutating func logInTogether(_ count: Int, _ maker: inout CaseMaker) -> [String] {
        guard let parts = LoginParts(subject) else { return [] }
        for fragment in [parts.opening, parts.completion]
        where !fragments.contains(where: { $0.name.text == fragment.name.text }) {
            fragments.append(fragment)
        }
        let clients = (0..<count).map { _ in
            // Behaviours use an operator's handle as its login name unless the operator has used
            // `login`, so the handle and the login name are the same here.
            let name = maker.word()
            return (actor: CaseActor(handle: name, name: name), word: maker.word())
        }
        for (actor, _) in clients { note(actor: actor) }
        for part in [LoginParts.names.opens, LoginParts.names.completes] {
            for (actor, word) in clients {
                step(.setup, parts.use(part, by: actor, word: word))
            }
        }
        return clients.map(\.actor.handle)
    }
}
