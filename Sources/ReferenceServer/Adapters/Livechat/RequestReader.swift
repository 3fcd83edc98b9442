import ChatModel
package import LineProtocol

/// Reads lines of a dialect as requests.
package struct RequestReader: Sendable {
    /// How much of an unknown command a refusal repeats.
    package static let echoedCommandBytesMax = 32
    /// What a relayed line may have beside its text and the sender's nickname: command, numbers,
    /// separators.
    package static let relayOverheadBytesMax = 128
    /// How long the name of a format may be.
    package static let formatBytesMax = 64

    /// What a line has besides where it relays no text: a type, a time, and a format, which escaping
    /// doubles at most.
    static let shownOverheadBytesMax = 2 * formatBytesMax + 32

    let vocabulary: ChatVocabulary
    private let escaping: EscapeRule
    private let overflow: Framing.Overflow
    /// The longest spelling of a text with which the relayed line stays within its maximum.
    private let textBytesMax: Int
    /// Commands whose surplus arguments have been warned of.
    private var warned: Set<Int> = []

    package init(_ dialect: Dialect, nicknameBytesMax: Int) throws(ServerError) {
        vocabulary = try ChatVocabulary(dialect)
        escaping = dialect.escaping.field
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
        case end(DisconnectReason)
    }

    /// Reads a line.
    package mutating func read(_ line: RequestLine) -> Reading {
        switch line.verdict(overflow, open: .reject) {
        case .carryOut: break
        case .nothing: return .nothing
        case .end(let departure): return .end(departure)
        case .refuse(let refusal): return .request(unreadable(line, refusal))
        }
        guard let command = line.message.command, let entry = vocabulary.requests[command],
            let signature = line.signature
        else {
            return .request(unreadable(line, Refusal(.notUnderstood, "no such command")))
        }
        if let issue = line.intolerable {
            let refusal = Refusal(.notUnderstood, issue.explanation(signature))
            return .request(.unreadable(.verb(entry.verb), refusal))
        }
        let request = request(line, entry)
        let extra = line.extraArguments
        guard extra > 0, warned.insert(command).inserted else { return .request(request) }
        return .surplus(request, command: signature.name, extra: extra)
    }

    private func request(_ line: RequestLine, _ entry: ChatVocabulary.Request) -> ChatRequest {
        let places = entry.places
        switch entry.verb {
        case .login:
            return .login(
                nickname: text(places[0], line), password: text(places[1], line),
                isVisitor: number(places[2], line) == 1)
        case .logout: return .logout
        case .ping: return .ping(token: text(places[0], line))
        case .join: return .join(chat: room(places[0], line))
        case .leave: return .leave(chat: room(places[0], line))
        case .who: return .who(chat: room(places[0], line))
        case .history:
            let count = places[1] == nil ? Int64.max : number(places[1], line)
            return .history(chat: room(places[0], line), count: count)
        case .sendMessage, .sendHidden, .sendPrivate, .runAction:
            return relayed(line, entry.verb, places)
        case .open:
            return .open(scene: text(places[0], line), members: line.list("members"))
        case .sendContent: return shown(line, places)
        case .rename, .away, .topic, .kick, .invite, .change:
            return unreadable(line, Refusal(.notUnderstood, "no such command"))
        }
    }

    /// The requests whose text goes on to others, unless their line would pass its maximum.
    private func relayed(
        _ line: RequestLine, _ verb: ChatVerb, _ places: [Int?]
    ) -> ChatRequest {
        let text = self.text(places[places.count - 1], line)
        guard fits(text) else {
            return .unreadable(.verb(verb), Refusal(.tooLong, "too long to be relayed"))
        }
        switch verb {
        case .sendPrivate:
            return .sayPrivately(to: self.text(places[0], line), text: text)
        case .runAction:
            return .runAction(chat: room(places[0], line), action: text)
        default:
            return .say(
                from: number(places[0], line), chat: room(places[1], line), text: text,
                isHidden: verb == .sendHidden)
        }
    }

    /// A content that is no text, unless its line would pass its maximum.
    private func shown(_ line: RequestLine, _ places: [Int?]) -> ChatRequest {
        let (format, data) = (text(places[2], line), text(places[3], line))
        let word = String(decoding: text(places[1], line), as: UTF8.self)
        guard let type = ContentType(rawValue: word), type != .text else {
            let reason = "a content is image, voice or hint"
            return .unreadable(.verb(.sendContent), Refusal(.notUnderstood, reason))
        }
        guard format.count <= Self.formatBytesMax, fits(data, beside: Self.shownOverheadBytesMax)
        else {
            return .unreadable(
                .verb(.sendContent), Refusal(.tooLong, "too long to be relayed"))
        }
        return .show(chat: room(places[0], line), type, format: format, data: data)
    }

    private func number(_ place: Int?, _ line: RequestLine) -> Int64 {
        place.map(line.number(at:)) ?? 0
    }

    private func room(_ place: Int?, _ line: RequestLine) -> RoomName {
        .number(number(place, line))
    }

    private func text(_ place: Int?, _ line: RequestLine) -> [UInt8] {
        place.map(line.text(at:)) ?? []
    }

    /// Whether its spelling and so many bytes more are a line that may be relayed.
    private func fits(_ text: [UInt8], beside overhead: Int = 0) -> Bool {
        let bytesMax = textBytesMax - overhead
        // No rule spells a byte with more than four.
        if text.count <= bytesMax / 4 { return true }
        do {
            return try escaping.encode(text).count <= bytesMax
        } catch {
            return false
        }
    }

    /// A line that is no request, under the command it starts with.
    private func unreadable(_ line: RequestLine, _ refusal: Refusal) -> ChatRequest {
        var name = line.verb
        if name.count > Self.echoedCommandBytesMax {
            name.removeSubrange(Self.echoedCommandBytesMax...)
            name.removeIncompleteLetter()
        }
        return .unreadable(.wire(name), refusal)
    }
}
