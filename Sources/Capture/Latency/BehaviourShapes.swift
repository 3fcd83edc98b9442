import Diagnostics
import LineProtocol
import Scenario

/// What a dialect's behaviours say of who answers what: the source of all that is timed.
struct BehaviourShapes {
    /// A request, and what answers it.
    struct Exchange {
        var name: String
        var request: LineShape
        var answer: LineShape
        /// What stands in both and tells which answer belongs to which request; nil: their order.
        var key: String?
        /// Whether the same answer is given to other requests, too.
        var isShared = false
    }

    /// What a text is sent with, and how another hears it.
    struct Talk {
        var said: LineShape
        var heard: LineShape
        /// What tells whom or which room it is for, in the one and in the other.
        var target: (said: String?, heard: String?)
    }

    private(set) var exchanges: [Exchange] = []
    private(set) var relay: Talk?
    private(set) var say: Talk?
    private(set) var login: Exchange?
    private let dialect: Dialect

    /// What is no exchange.
    private static let others: Set<String> = [
        "login", "arrival", "heard", "relay", "say", "keepalive", "logout",
    ]

    init(_ dialect: Dialect) {
        self.dialect = dialect
        login = makeLogin()
        relay = talk("relay", "arrival", ("to", "name"))
        say = talk("say", "heard", ("room", "room"))
        // What users feel comes first, so that nothing else is called the same.
        let names = dialect.behaviours.keys.sorted {
            ($0 == "probe" ? 0 : 1, $0) < ($1 == "probe" ? 0 : 1, $1)
        }
        for name in names where !Self.others.contains(name) { addExchange(name) }
        markShared()
    }

    private func steps(_ name: String) -> [Step] {
        guard let behaviour = dialect.behaviours[name] else { return [] }
        let text = Array(behaviour.text.utf8)
        return ScenarioParser.parseFragment(
            text, in: SourceText(path: name, bytes: text), line: 1, column: 1
        ).steps
    }

    /// The last that is sent, and what is awaited behind it.
    private mutating func addExchange(_ name: String) {
        let steps = steps(name)
        guard let last = steps.lastIndex(where: { $0.sent != nil }),
            let request = steps[last].sent.flatMap({ LineShape($0, dialect) }),
            let answer = steps[last...].compactMap({ $0.awaited.flatMap { LineShape($0, dialect) } }
            )
            .last
        else { return }
        let shared = request.places.keys.filter {
            $0 != "name" && $0 != "self" && answer.places[$0] != nil
        }
        let exchange = Exchange(
            name: name, request: request, answer: answer, key: shared.sorted().first)
        let isKnown = exchanges.contains {
            $0.request.command == request.command && $0.answer.command == answer.command
                && $0.key == exchange.key
        }
        if !isKnown { exchanges.append(exchange) }
    }

    /// An answer that several commands get tells nothing of which it answers.
    private mutating func markShared() {
        var askers: [Int: Set<Int>] = [:]
        for name in dialect.behaviours.keys {
            var asked: Int?
            for step in steps(name) {
                if let sent = step.sent.flatMap({ LineShape($0, dialect) }) { asked = sent.command }
                if let asked, let answer = step.awaited.flatMap({ LineShape($0, dialect) }) {
                    askers[answer.command, default: []].insert(asked)
                }
            }
        }
        for place in exchanges.indices {
            exchanges[place].isShared =
                askers[exchanges[place].answer.command, default: []].count > 1
        }
    }

    /// Who says its name is logged in with the next that is awaited.
    private func makeLogin() -> Exchange? {
        let steps = steps("login")
        let named = steps.lastIndex { step in
            step.sent.flatMap { LineShape($0, dialect) }?.places["name"] != nil
        }
        guard let named, let request = steps[named].sent.flatMap({ LineShape($0, dialect) }),
            let answer = steps[named...].compactMap({
                $0.awaited.flatMap { LineShape($0, dialect) }
            })
            .first
        else { return nil }
        return Exchange(name: "login", request: request, answer: answer)
    }

    private func talk(
        _ said: String, _ heard: String, _ target: (said: String, heard: String)
    ) -> Talk? {
        let send = steps(said).compactMap { $0.sent.flatMap { LineShape($0, dialect) } }
            .last { $0.places["text"] != nil }
        let hear = steps(heard).compactMap { $0.awaited.flatMap { LineShape($0, dialect) } }
            .last { $0.places["text"] != nil }
        guard let send, let hear else { return nil }
        return Talk(
            said: send, heard: hear,
            target: (
                send.places[target.said] == nil ? nil : target.said,
                hear.places[target.heard] == nil ? nil : target.heard
            ))
    }
}

extension Step {
    fileprivate var sent: Scenario.Message? {
        if case .send(let message) = kind { message } else { nil }
    }

    fileprivate var awaited: Pattern? {
        guard case .expect(let expectation) = kind,
            expectation.mode == .next || expectation.mode == .skip
        else { return nil }
        return expectation.pattern
    }
}
