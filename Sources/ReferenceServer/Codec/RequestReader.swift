package import LineProtocol

/// Reads lines of a dialect as requests. One serves all connections, as long as one thread reads.
package struct RequestReader: Sendable {
    /// How much of an unknown command a refusal repeats.
    package static let echoedCommandBytesMax = 32
    /// What a relayed line may have beside its text and the sender's nickname: command, numbers,
    /// separators.
    package static let relayOverheadBytesMax = 128

    let vocabulary: ChatVocabulary
    private let decoder: MessageDecoder
    private let escaping: EscapeRule
    private let tolerance: Tolerance
    private let overflow: Framing.Overflow
    /// The longest spelling of a text with which the relayed line stays within its maximum.
    private let textBytesMax: Int
    private var message = Message()
    /// Commands whose surplus arguments have been warned of.
    private var warned: Set<Int> = []

    package init(_ dialect: Dialect, nicknameBytesMax: Int) throws(ServerError) {
        vocabulary = try ChatVocabulary(dialect)
        decoder = MessageDecoder(dialect)
        escaping = dialect.escaping.field
        tolerance = dialect.tolerance
        overflow = dialect.framing.fromClient.overflow
        // Escaping doubles a nickname at most.
        let overhead = Self.relayOverheadBytesMax + 2 * nicknameBytesMax
        textBytesMax = max(0, dialect.framing.fromServer.limits.lineBytesMax - overhead)
    }

    /// What a line is.
    package enum Reading: Sendable, Hashable {
        case request(ChatRequest)
        /// A request with more arguments than its command has: to be warned of, once a command.
        case surplus(ChatRequest, command: String, extra: Int)
        /// A line that is dropped without a word.
        case nothing
        /// A line for which the connection is closed.
        case end(Departure)
    }

    /// Reads the line of `frame`, which stands in `bytes`.
    package mutating func read(_ bytes: Span<UInt8>, _ frame: Frame) -> Reading {
        switch frame.issue {
        case .lineOverLimit, .tagsOverLimit:
            switch overflow {
            case .discard: return .nothing
            case .close: return .end(.lineTooLong)
            case .truncate: break
            case .open, .reject: return .request(tooLong(bytes, frame, "line too long"))
            }
        case .payloadLengthInvalid, .payloadNotTerminated, .payloadOverLimit:
            return .request(unreadable(bytes, frame, .notUnderstood, "invalid payload"))
        case .bufferOverLimit: return .end(.lineTooLong)
        case .unterminated: return .nothing
        case nil: break
        }
        decoder.decode(bytes, frame, from: .fromClient, into: &message)
        guard let command = message.command, let entry = vocabulary.requests[command] else {
            return .request(unreadable(bytes, frame, .notUnderstood, "no such command"))
        }
        return read(bytes, entry, command)
    }

    private mutating func read(
        _ bytes: Span<UInt8>, _ entry: ChatVocabulary.Request, _ command: Int
    ) -> Reading {
        let signature = decoder.commands.signatures[command]
        var extra = 0
        for issue in message.issues {
            if !issue.isTolerated(by: signature.tolerance ?? tolerance) {
                let refusal = Refusal(.notUnderstood, issue.explanation(signature))
                return .request(.unreadable(.verb(entry.verb), refusal))
            }
            if case .tooMany(let count) = issue { extra = count }
        }
        let request = request(bytes, entry)
        guard extra > 0, warned.insert(command).inserted else { return .request(request) }
        return .surplus(request, command: signature.name, extra: extra)
    }

    private func request(_ bytes: Span<UInt8>, _ entry: ChatVocabulary.Request) -> ChatRequest {
        let places = entry.places
        switch entry.verb {
        case .login:
            return .login(
                nickname: text(places[0], bytes), password: text(places[1], bytes),
                isVisitor: number(places[2]) == 1)
        case .logout: return .logout
        case .ping: return .ping(token: text(places[0], bytes))
        case .join: return .join(chat: number(places[0]))
        case .leave: return .leave(chat: number(places[0]))
        case .who: return .who(chat: number(places[0]))
        case .history:
            let count = places[1] == nil ? Int64.max : number(places[1])
            return .history(chat: number(places[0]), count: count)
        case .sendMessage, .sendHidden, .sendPrivate, .runAction:
            return relayed(bytes, entry.verb, places)
        }
    }

    /// The requests whose text goes on to others, unless their line would pass its maximum.
    private func relayed(
        _ bytes: Span<UInt8>, _ verb: ChatVerb, _ places: [Int?]
    ) -> ChatRequest {
        let text = self.text(places[places.count - 1], bytes)
        guard fits(text) else {
            return .unreadable(.verb(verb), Refusal(.tooLong, "too long to be relayed"))
        }
        switch verb {
        case .sendPrivate:
            return .sayPrivately(to: self.text(places[0], bytes), text: text)
        case .runAction:
            return .runAction(chat: number(places[0]), action: text)
        default:
            return .say(
                from: number(places[0]), chat: number(places[1]), text: text,
                isHidden: verb == .sendHidden)
        }
    }

    /// A number or a flag of the line that was decoded last.
    private func number(_ place: Int?) -> Int64 {
        place.map { message.arguments[$0].number } ?? 0
    }

    private func text(_ place: Int?, _ bytes: Span<UInt8>) -> [UInt8] {
        guard let place else { return [] }
        return message.bytes(message.arguments[place], in: bytes)
    }

    private func fits(_ text: [UInt8]) -> Bool {
        // No rule spells a byte with more than four.
        if text.count <= textBytesMax / 4 { return true }
        do {
            return try escaping.encode(text).count <= textBytesMax
        } catch {
            return false
        }
    }

    private func tooLong(_ bytes: Span<UInt8>, _ frame: Frame, _ reason: String) -> ChatRequest {
        unreadable(bytes, frame, .tooLong, reason)
    }

    /// A line that is no request, under the command it starts with.
    private func unreadable(
        _ bytes: Span<UInt8>, _ frame: Frame, _ code: RefusalCode, _ reason: String
    ) -> ChatRequest {
        var message = Message()
        decoder.decode(bytes, frame, from: .fromClient, into: &message)
        let verb = message.split.verb
        let end = verb.lowerBound + min(verb.count, Self.echoedCommandBytesMax)
        var name = bytes.array(verb.lowerBound..<end)
        if end < verb.upperBound { name.removeIncompleteLetter() }
        return .unreadable(.wire(name), Refusal(code, reason))
    }
}

extension MessageIssue {
    /// The issue as a refusal says it.
    func explanation(_ signature: CommandSignature) -> String {
        switch self {
        case .unknownCommand: "no such command"
        case .tooFew(let missing): "\(missing) arguments missing"
        case .tooMany(let extra): "\(extra) arguments too many"
        case .invalidArgument(let place):
            "\(signature.arguments[place].name) is no \(signature.arguments[place].type.name)"
        case .badEscape(let place, _):
            "bad escape in \(signature.arguments[place].name)"
        }
    }
}

extension [UInt8] {
    /// Drops the bytes of a UTF-8 letter at the end that was cut off in its middle.
    mutating func removeIncompleteLetter() {
        var continuations = 0
        while continuations < Swift.min(3, count), self[count - 1 - continuations] & 0xC0 == 0x80 {
            continuations += 1
        }
        guard continuations < count else { return }
        let lead = self[count - 1 - continuations]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        if length > continuations + 1 { removeLast(continuations + 1) }
    }
}
