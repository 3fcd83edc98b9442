import DialectModel
import LineProtocol

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
    private let dialect: BoundDialect

    /// What is no exchange.
    private static let others: Set<String> = [
        "login", "arrival", "heard", "relay", "say", "keepalive", "logout",
    ]

    init(_ dialect: BoundDialect) {
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

    private func lines(_ name: String) -> [LineShape] {
        dialect[name]?.lines.map(\.shape) ?? []
    }

    /// The last that is sent, and what is awaited behind it.
    private mutating func addExchange(_ name: String) {
        guard let behaviour = dialect[name],
            let last = behaviour.steps.lastIndex(where: { $0.sent != nil }),
            let request = behaviour.lines.first(where: { $0.step == last })?.shape,
            let answer = behaviour.lines.last(where: { $0.step > last })?.shape
        else { return }
        let shared = request.variables.filter {
            $0 != "name" && $0 != "self" && answer.variables.contains($0)
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
            for line in lines(name) {
                if line.direction == .fromClient {
                    asked = line.command
                } else if let asked {
                    askers[line.command, default: []].insert(asked)
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
        let lines = lines("login")
        let named = lines.lastIndex {
            $0.direction == .fromClient && $0.variables.contains("name")
        }
        guard let named, let answer = lines[named...].first(where: { $0.direction == .fromServer })
        else { return nil }
        return Exchange(name: "login", request: lines[named], answer: answer)
    }

    private func talk(
        _ said: String, _ heard: String, _ target: (said: String, heard: String)
    ) -> Talk? {
        let send = lines(said).last {
            $0.direction == .fromClient && $0.variables.contains("text")
        }
        let hear = lines(heard).last {
            $0.direction == .fromServer && $0.variables.contains("text")
        }
        guard let send, let hear else { return nil }
        return Talk(
            said: send, heard: hear,
            target: (
                send.variables.contains(target.said) ? target.said : nil,
                hear.variables.contains(target.heard) ? target.heard : nil
            ))
    }
}
