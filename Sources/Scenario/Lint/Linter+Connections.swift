import Diagnostics

extension Linter {
    /// The state of an operator's connection at one point in the scenario.
    private struct Connection {
        /// True if an earlier step may have caused the server to send something.
        var isUsed = false
        /// The step that closed the connection; nil while it is open. `isHalf` is true if only the
        /// sending direction is closed.
        var ended: (range: SourceRange, isHalf: Bool)?
    }

    private typealias Connections = [String: Connection]

    /// Reports steps on closed connections, and `<!` and `quiet` steps of operators that cannot
    /// have received anything yet.
    mutating func checkConnections() {
        var connections: Connections = [:]
        follow(file.steps, &connections)
        for fragment in file.fragments {
            // The connections' state before a fragment is unknown, so only closes inside the
            // fragment count.
            var inner: Connections = ["self": Connection(isUsed: true)]
            for name in operatorNames { inner[name] = Connection(isUsed: true) }
            follow(fragment.steps, &inner)
        }
    }

    private mutating func follow(_ steps: [Step], _ connections: inout Connections) {
        for step in steps {
            switch step.kind {
            case .use(let use):
                let names =
                    use.operators.isEmpty
                    ? operatorNames : use.operators.map { $0.name ?? "self" }
                for name in names { connections[name] = Connection(isUsed: true) }
            case .outcome(let first, let second):
                var other = connections
                follow(first, &connections)
                follow(second, &other)
                connections = connections.mapValues { Connection(isUsed: $0.isUsed) }
            case .oneOf(let blocks):
                for block in blocks {
                    var other = connections
                    follow(block, &other)
                }
                connections = connections.mapValues { _ in Connection(isUsed: true) }
            case .eventually(_, let inner):
                follow(inner, &connections)
                connections = connections.mapValues { _ in Connection(isUsed: true) }
            case .anyOrder(let inner): follow(inner, &connections)
            case .repeated(let repetition): follow(repetition.steps, &connections)
            default: note(step, &connections)
            }
        }
    }

    private mutating func note(_ step: Step, _ connections: inout Connections) {
        guard let actor = step.actor else { return }
        let name = actor.name ?? "self"
        var connection = connections[name] ?? Connection()
        switch step.kind {
        case .connect: connection = Connection(isUsed: true)
        case .standingReply, .ignore: return
        default:
            checkUnreachable(step, name, connection)
            checkNeverConnected(step, name, connection)
            connection.isUsed = true
        }
        switch step.kind {
        case .close, .abort, .closed: connection.ended = (step.range, false)
        case .halfClose: connection.ended = (step.range, true)
        default: break
        }
        connections[name] = connection
    }

    private mutating func checkUnreachable(_ step: Step, _ name: String, _ connection: Connection) {
        guard let ended = connection.ended else { return }
        if ended.isHalf {
            switch step.kind {
            case .send, .halfClose, .startTLS: break
            default: return
            }
        }
        report(
            .unreachable,
            ended.isHalf
                ? "`\(name)` can no longer send" : "`\(name)`'s connection is closed",
            at: step.range, help: "open a new connection first: `\(name) connect`",
            related: (ended.range, "closed here"))
    }

    private mutating func checkNeverConnected(
        _ step: Step, _ name: String, _ connection: Connection
    ) {
        guard !connection.isUsed else { return }
        switch step.kind {
        case .quiet: break
        case .expect(let expectation) where expectation.mode == .never: break
        default: return
        }
        report(
            .neverConnected, "`\(name)` has not connected yet, so this step cannot fail",
            at: step.range,
            help: "log `\(name)` in before this step")
    }

    // MARK: Order

    /// Reports two consecutive `<-` steps of one operator that follow sends by several operators,
    /// because the server may answer the sends in either order.
    mutating func checkOrder() {
        checkOrder(in: file.steps)
        for fragment in file.fragments { checkOrder(in: fragment.steps) }
    }

    private mutating func checkOrder(in steps: [Step]) {
        var senders: Set<String> = []
        var previous: (name: String, verb: String)?
        for step in steps {
            let name = step.actor.map { $0.name ?? "self" } ?? ""
            switch step.kind {
            case .send:
                if previous != nil { senders = [] }
                senders.insert(name)
                previous = nil
            case .expect(let expectation) where expectation.mode == .next:
                let verb = Self.verb(of: expectation.pattern)
                if let last = previous, last.name == name, let verb, verb != last.verb,
                    senders.count > 1
                {
                    reportOrder(step, senders)
                    senders = []
                }
                previous = verb.map { (name, $0) }
            default:
                senders = []
                previous = nil
                checkOrder(in: step.inner)
            }
        }
    }

    private mutating func reportOrder(_ step: Step, _ senders: Set<String>) {
        let names = senders.sorted().map { "`\($0)`" }.joined(separator: " and ")
        report(
            .orderSensitive,
            "\(names) send lines before this step, so the answers may arrive in any order",
            at: step.range,
            help: "wrap the lines in `any order { … }`, or put a `sync` between the sends")
    }

    /// Returns the first word of a pattern, after an optional source and tags; nil if it is not
    /// literal text.
    private static func verb(of pattern: Pattern) -> String? {
        switch pattern {
        case .typed(let call): return call.name.text
        case .raw: return nil
        case .wire(let text, _):
            guard case .literal(let literal) = text.pieces.first else { return nil }
            let words = literal.bytes.split(whereSeparator: \.isSpace)
            let verb = words.first {
                $0.first != UInt8(ascii: ":") && $0.first != UInt8(ascii: "@")
            }
            return verb.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
