import DialectModel
import LineProtocol

/// The requests and answers that a dialect's behaviours define. Most latency metrics are based on
/// them.
struct BehaviourShapes {
    /// A behaviour's request and the answer to it.
    struct Exchange {
        var name: String
        var request: LineShape
        var answer: LineShape
        /// Name of the variable that matches an answer to its request; nil if answers are matched
        /// by order.
        var key: String?
        /// True if another request has the same answer.
        var isShared = false
    }

    /// The line that sends a chat message, and the line that delivers it to other operators.
    struct Delivery {
        var sent: LineShape
        var received: LineShape
        /// Names of the variables that contain the recipient or room, in the sent and the received
        /// line.
        var target: (sent: String?, received: String?)
    }

    private(set) var exchanges: [Exchange] = []
    private(set) var relay: Delivery?
    private(set) var say: Delivery?
    private(set) var login: Exchange?
    private let dialect: BoundDialect

    /// Names of behaviours that are not measured as ordinary exchanges.
    private static let others: Set<String> = [
        "login", "arrival", "heard", "relay", "say", "keepalive", "logout",
    ]

    init(_ dialect: BoundDialect) {
        self.dialect = dialect
        login = makeLogin()
        relay = delivery("relay", "arrival", ("to", "name"))
        say = delivery("say", "heard", ("room", "room"))
        // If several behaviours have the same exchange, the exchange is named after `probe` or a
        // general behaviour such as `enter`, rather than after a specific one such as
        // `causes-extended-join`.
        func rank(_ name: String) -> Int { name == "probe" ? 0 : name.contains("-") ? 2 : 1 }
        let names = exchangeNames.sorted { (rank($0), $0) < (rank($1), $1) }
        for name in names where !Self.others.contains(name) { addExchange(name) }
        markShared()
    }

    /// Names of the behaviours that may contain an exchange.
    private var exchangeNames: [String] {
        dialect.behaviours.keys.filter { !$0.hasPrefix(BoundBehaviour.featurePrefix) }
    }

    private func lines(_ name: String) -> [LineShape] {
        dialect[name]?.lines.map(\.shape) ?? []
    }

    /// Adds an exchange that consists of the last line a behaviour sends and the last line it
    /// expects after that.
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

    /// Marks exchanges whose answer also belongs to another exchange.
    private mutating func markShared() {
        var askers: [Int: Set<Int>] = [:]
        for name in exchangeNames {
            var request: Int?
            for line in lines(name) {
                if line.direction == .fromClient {
                    request = line.command
                } else if let request {
                    askers[line.command, default: []].insert(request)
                }
            }
        }
        for index in exchanges.indices {
            exchanges[index].isShared =
                askers[exchanges[index].answer.command, default: []].count > 1
        }
    }

    /// Returns an exchange that consists of the first line with the login name and the line
    /// expected after the last one; nil if the dialect's `login` lacks either.
    private func makeLogin() -> Exchange? {
        let lines = lines("login")
        let named = lines.indices.filter {
            lines[$0].direction == .fromClient && lines[$0].variables.contains("name")
        }
        guard let first = named.first, let last = named.last,
            let answer = lines[last...].first(where: { $0.direction == .fromServer })
        else { return nil }
        return Exchange(name: "login", request: lines[first], answer: answer)
    }

    private func delivery(
        _ sent: String, _ received: String, _ target: (sent: String, received: String)
    ) -> Delivery? {
        let send = lines(sent).last {
            $0.direction == .fromClient && $0.variables.contains("text")
        }
        let hear = lines(received).last {
            $0.direction == .fromServer && $0.variables.contains("text")
        }
        guard let send, let hear else { return nil }
        return Delivery(
            sent: send, received: hear,
            target: (
                send.variables.contains(target.sent) ? target.sent : nil,
                hear.variables.contains(target.received) ? target.received : nil
            ))
    }
}
