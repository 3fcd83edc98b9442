import Diagnostics
import DialectModel
import LineProtocol
import Scenario

/// A dialect's behaviours as exchanges: what a server receives, and what it answers.
struct BehaviourExchanges {
    /// A client's request and the replies it waits for.
    struct Exchange: Sendable {
        /// Nil: the server speaks first.
        var request: GenericMessage?
        var replies: [GenericMessage] = []
        /// Whether the server closes after it.
        var closes = false
    }

    let bound: BoundDialect
    private var dialect: Dialect { bound.dialect }

    init(_ bound: BoundDialect) { self.bound = bound }

    /// The exchanges of a behaviour; nil if the dialect does not have it.
    func exchanges(_ name: String) throws(ServerError) -> [Exchange]? {
        guard let behaviour = bound[name] else { return nil }
        guard !bound.diagnostics.hasErrors else { throw unserved(name, "it cannot be read") }
        var exchanges: [Exchange] = []
        for step in behaviour.steps {
            switch step.kind {
            case .send(let message):
                exchanges.append(Exchange(request: try request(message, name)))
            case .expect(let expectation) where expectation.mode != .never:
                let reply = try reply(expectation.pattern, name)
                if exchanges.isEmpty { exchanges.append(Exchange()) }
                exchanges[exchanges.count - 1].replies.append(reply)
            case .closed, .close, .halfClose:
                if !exchanges.isEmpty { exchanges[exchanges.count - 1].closes = true }
            case .standingReply, .ignore, .expect, .wait, .think, .quiet: break
            default: throw unserved(name, "it has steps that are not sent or expected")
            }
        }
        return exchanges
    }

    /// How refusals look; nil if the dialect does not say.
    func refusal() -> GenericMessage? {
        for pattern in bound.rejects {
            if let reply = try? reply(pattern, "rejects") { return reply }
        }
        return nil
    }

    private func unserved(_ name: String, _ reason: String) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server cannot serve the behaviour `\(name)` of the dialect "
                + "\"\(dialect.name)\": \(reason)")
    }

    private func request(
        _ message: Scenario.Message, _ name: String
    ) throws(ServerError) -> GenericMessage {
        switch message {
        case .raw: throw unserved(name, "what it sends raw cannot be read")
        case .typed(let call): try check(call, .fromClient, name)
        case .wire(let template, _): try check(template, LineShape(message, dialect), name)
        }
        return try made(LineShape(message, dialect), name)
    }

    private func reply(_ pattern: Pattern, _ name: String) throws(ServerError) -> GenericMessage {
        switch pattern {
        case .raw: throw unserved(name, "what it expects raw cannot be said")
        case .typed(let call): try check(call, .fromServer, name)
        case .wire(let template, _): try check(template, LineShape(pattern, dialect), name)
        }
        return try made(LineShape(pattern, dialect), name)
    }

    private func made(_ shape: LineShape?, _ name: String) throws(ServerError) -> GenericMessage {
        guard let shape else { throw unserved(name, "one of its lines is no known command") }
        return GenericMessage(shape)
    }

    private func check(
        _ call: TypedCall, _ direction: Direction, _ name: String
    ) throws(ServerError) {
        guard dialect.commands.command(named: call.name.text, direction) != nil else {
            throw ServerError.missingCommand(call.name.text, direction, dialect)
        }
        for argument in call.arguments {
            if case .list = argument.value.kind { throw unserved(name, "lists are not served") }
        }
    }

    private func check(
        _ template: Template, _ shape: LineShape?, _ name: String
    ) throws(ServerError) {
        if shape != nil { return }
        let text = template.pieces.map { piece in
            if case .literal(let literal) = piece {
                String(decoding: literal.bytes, as: UTF8.self)
            } else {
                "{{…}}"
            }
        }.joined()
        throw unserved(name, "the dialect has no command for `\(text)`")
    }
}
