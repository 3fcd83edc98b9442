import Diagnostics
import DialectModel
import LineProtocol
import Scenario

/// A converter from a dialect's behaviours to exchanges.
struct BehaviourExchanges {
    /// A message that the server receives, and the messages that it sends in reply.
    struct Exchange: Sendable {
        /// The message that the server receives; nil if the server sends first.
        var request: GenericMessage?
        var replies: [GenericMessage] = []
        /// True if the server closes the connection after its replies.
        var closes = false
    }

    let bound: BoundDialect
    private var dialect: Dialect { bound.dialect }

    init(_ bound: BoundDialect) { self.bound = bound }

    /// Returns the exchanges of a behaviour; nil if the dialect lacks the behaviour.
    func exchanges(_ name: String) throws(ServerError) -> [Exchange]? {
        guard let behaviour = bound[name] else { return nil }
        guard !bound.diagnostics.hasErrors else {
            throw unserved(name, "the dialect's scenario text has errors")
        }
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
            default: throw unserved(name, "it has steps other than sends and expectations")
            }
        }
        return exchanges
    }

    /// Returns the message with which the server refuses a line; nil if the dialect defines none.
    func refusal() -> GenericMessage? {
        for pattern in bound.rejects {
            if let reply = try? reply(pattern, "rejects") { return reply }
        }
        return nil
    }

    private func unserved(_ name: String, _ reason: String) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server cannot serve the `\(name)` behaviour of the "
                + "\"\(dialect.name)\" dialect: \(reason)")
    }

    private func request(
        _ message: StepMessage, _ name: String
    ) throws(ServerError) -> GenericMessage {
        switch message {
        case .raw: throw unserved(name, "raw sends are not supported")
        case .typed(let call): try check(call, .fromClient, name)
        case .wire(let template, _): try check(template, LineShape(message, dialect), name)
        }
        return try made(LineShape(message, dialect), name)
    }

    private func reply(_ pattern: Pattern, _ name: String) throws(ServerError) -> GenericMessage {
        switch pattern {
        case .raw: throw unserved(name, "raw expectations are not supported")
        case .typed(let call): try check(call, .fromServer, name)
        case .wire(let template, _): try check(template, LineShape(pattern, dialect), name)
        }
        return try made(LineShape(pattern, dialect), name)
    }

    private func made(_ shape: LineShape?, _ name: String) throws(ServerError) -> GenericMessage {
        guard let shape else { throw unserved(name, "one of its lines is not a known command") }
        return GenericMessage(shape)
    }

    private func check(
        _ call: TypedCall, _ direction: Direction, _ name: String
    ) throws(ServerError) {
        guard dialect.commands.command(named: call.name.text, direction) != nil else {
            throw ServerError.missingCommand(call.name.text, direction, dialect)
        }
        for argument in call.arguments {
            if case .list = argument.value.kind {
                throw unserved(name, "list arguments are not supported")
            }
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
