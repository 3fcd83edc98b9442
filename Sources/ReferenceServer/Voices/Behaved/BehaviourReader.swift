import Diagnostics
import LineProtocol
import Scenario

/// Reads a dialect's behaviours as what a server has to hear and to say.
struct BehaviourReader {
    /// What a client sends, and what it waits for after that.
    struct Exchange: Sendable {
        /// Nil: the server speaks first.
        var request: BehavedMessage?
        var replies: [BehavedMessage] = []
        /// Whether the server closes after it.
        var closes = false
    }

    let dialect: Dialect

    /// The exchanges of a behaviour; nil if the dialect does not have it.
    func exchanges(_ name: String) throws(ServerError) -> [Exchange]? {
        guard let behaviour = dialect.behaviours[name] else { return nil }
        let source = SourceText(path: dialect.name, text: behaviour.text)
        let outcome = ScenarioParser.parseFragment(
            Array(behaviour.text.utf8), in: source, line: 1, column: 1)
        guard !outcome.diagnostics.hasErrors else { throw unserved(name, "it cannot be read") }
        var exchanges: [Exchange] = []
        for step in outcome.steps {
            switch step.kind {
            case .send(let message):
                exchanges.append(Exchange(request: try request(message, name)))
            case .expect(let expectation) where expectation.mode != .never:
                if exchanges.isEmpty { exchanges.append(Exchange()) }
                let reply = try reply(expectation.pattern, name)
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
    func refusal() throws(ServerError) -> BehavedMessage? {
        for pattern in dialect.rejects {
            let text = "<- \(pattern.text)\n"
            let outcome = ScenarioParser.parseFragment(
                Array(text.utf8), in: SourceText(path: dialect.name, text: text), line: 1,
                column: 1)
            if case .expect(let expectation) = outcome.steps.first?.kind,
                let message = try? reply(expectation.pattern, "rejects")
            {
                return message
            }
        }
        return nil
    }

    private func unserved(_ name: String, _ reason: String) -> ServerError {
        ServerError(
            .missingBehaviour(name),
            "the reference server cannot serve the behaviour `\(name)` of the dialect "
                + "\"\(dialect.name)\": \(reason)")
    }

    // MARK: Messages

    private func request(
        _ message: Scenario.Message, _ name: String
    ) throws(ServerError) -> BehavedMessage {
        switch message {
        case .typed(let call): return try typed(call, .fromClient, name)
        case .wire(let template, let payload):
            return try wire(template, payload, .fromClient, name)
        case .raw: throw unserved(name, "what it sends raw cannot be read")
        }
    }

    private func reply(_ pattern: Pattern, _ name: String) throws(ServerError) -> BehavedMessage {
        switch pattern {
        case .typed(let call): return try typed(call, .fromServer, name)
        case .wire(let template, let payload):
            return try wire(template, payload, .fromServer, name)
        case .raw: throw unserved(name, "what it expects raw cannot be said")
        }
    }

    private func typed(
        _ call: TypedCall, _ direction: Direction, _ name: String
    ) throws(ServerError) -> BehavedMessage {
        guard let command = dialect.commands.command(named: call.name.text, direction) else {
            throw ServerError.missingCommand(call.name.text, direction, dialect)
        }
        let signature = dialect.commands.signatures[command]
        var arguments = [BehavedMessage.Text?](repeating: nil, count: signature.arguments.count)
        for argument in call.arguments {
            let place = signature.arguments.firstIndex { $0.name == argument.name.text }
            guard let place else { continue }
            arguments[place] = try text(argument.value, name)
        }
        return BehavedMessage(command: command, arguments: arguments)
    }

    private func text(
        _ value: Value, _ name: String
    ) throws(ServerError) -> BehavedMessage.Text {
        switch value.kind {
        case .string(let template):
            return BehavedMessage.Text(pieces: try pieces(template, name))
        case .int(let number): return .literal(String(number))
        case .bool(let flag): return .literal(flag ? "1" : "0")
        case .decimal(let digits): return .literal(digits)
        case .name(let word): return .literal(word)
        case .hole(let hole): return BehavedMessage.Text(pieces: [try piece(hole, name)])
        case .list: throw unserved(name, "lists are not served")
        }
    }

    private func pieces(
        _ template: Template, _ name: String
    ) throws(ServerError) -> [BehavedMessage.Text.Piece] {
        var pieces: [BehavedMessage.Text.Piece] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): pieces.append(.literal(literal.bytes))
            case .hole(let hole): pieces.append(try self.piece(hole, name))
            }
        }
        return pieces
    }

    private func piece(
        _ hole: Hole, _ name: String
    ) throws(ServerError) -> BehavedMessage.Text.Piece {
        switch hole.kind {
        case .variable(let name), .typed(.some(let name), _), .regex(.some(let name), _),
            .rest(.some(let name)):
            .hole(name)
        case .typed(.none, _), .regex(.none, _), .anything: .anything
        case .bytes(let bytes, let count):
            .literal(Array(repeatElement(bytes, count: count).joined()))
        case .rest(.none), .end, .length, .environment:
            throw unserved(name, "it has a hole that only a client can fill")
        }
    }

    // MARK: Wire text

    /// Wire text is decoded with marks in place of its holes: so each argument shows which holes it has.
    private func wire(
        _ template: Template, _ payload: Template?, _ direction: Direction, _ name: String
    ) throws(ServerError) -> BehavedMessage {
        var holes: [BehavedMessage.Text.Piece] = []
        var line: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): line += literal.bytes
            case .hole(let hole):
                // What stands for any rest, or for none, is not said.
                if case .rest(.none) = hole.kind { continue }
                if case .end = hole.kind { continue }
                if case .length = hole.kind {
                    line.append(ASCII.zero)
                    continue
                }
                line += Self.mark(holes.count)
                holes.append(try self.piece(hole, name))
            }
        }
        while line.last == ASCII.blank { line.removeLast() }
        return try decode(line, holes, payload, direction, name)
    }

    private func decode(
        _ line: [UInt8], _ holes: [BehavedMessage.Text.Piece], _ payload: Template?,
        _ direction: Direction, _ name: String
    ) throws(ServerError) -> BehavedMessage {
        var message = LineProtocol.Message()
        MessageDecoder(dialect).decode(line, from: direction, into: &message)
        guard let command = message.command else {
            let text = String(decoding: line, as: UTF8.self)
            throw unserved(name, "the dialect has no command for `\(text)`")
        }
        let signature = dialect.commands.signatures[command]
        var arguments = [BehavedMessage.Text?](repeating: nil, count: signature.arguments.count)
        for place in signature.arguments.indices {
            if signature.arguments[place].place == .payload {
                arguments[place] = try payload.map { template throws(ServerError) in
                    BehavedMessage.Text(pieces: try pieces(template, name))
                }
                continue
            }
            guard message.arguments.indices.contains(place),
                !message.arguments[place].isAbsent,
                signature.arguments[place].place != .payloadLength
            else { continue }
            let bytes = message.bytes(message.arguments[place], in: line.span)
            arguments[place] = Self.unmark(bytes, holes)
        }
        return BehavedMessage(command: command, arguments: arguments)
    }

    private static let marker: UInt8 = 0x01

    private static func mark(_ number: Int) -> [UInt8] {
        [marker, UInt8(truncatingIfNeeded: 0x30 + number), marker]
    }

    /// The text with its holes instead of their marks.
    private static func unmark(
        _ bytes: [UInt8], _ holes: [BehavedMessage.Text.Piece]
    ) -> BehavedMessage.Text {
        var pieces: [BehavedMessage.Text.Piece] = []
        var literal: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == marker, place + 2 < bytes.count, bytes[place + 2] == marker,
                holes.indices.contains(Int(bytes[place + 1]) - 0x30)
            {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                pieces.append(holes[Int(bytes[place + 1]) - 0x30])
                place += 3
            } else {
                literal.append(bytes[place])
                place += 1
            }
        }
        if !literal.isEmpty || pieces.isEmpty { pieces.append(.literal(literal)) }
        return BehavedMessage.Text(pieces: pieces)
    }
}

extension BehavedMessage.Text {
    static func literal(_ text: String) -> BehavedMessage.Text {
        BehavedMessage.Text(pieces: [.literal(Array(text.utf8))])
    }
}
