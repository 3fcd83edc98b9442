import ChatModel
package import LineProtocol

/// A parser for livechat requests.
package struct RequestReader: Sendable {
    /// Maximum length of an unknown command in a refusal, in bytes. Longer commands are truncated.
    package static let echoedCommandBytesMax = 32
    /// Bytes reserved in a relayed line for the command, numbers and separators, in addition to the
    /// text and the sender's nickname.
    package static let relayOverheadBytesMax = 128
    package static let formatBytesMax = 64

    /// Additional bytes reserved in a line with non-text content, for its type, time and format.
    /// Escaping at most doubles the length of the format.
    static let contentOverheadBytesMax = 2 * formatBytesMax + 32

    let vocabulary: ChatVocabulary
    private let escaping: EscapeRule
    private let overflow: Framing.Overflow
    /// Maximum length of an encoded text that fits into a relayed line, in bytes.
    private let textBytesMax: Int
    /// Indices of the commands whose surplus arguments have already been logged.
    private var warned: Set<Int> = []

    package init(_ dialect: Dialect, nicknameBytesMax: Int) throws(ServerError) {
        vocabulary = try ChatVocabulary(dialect)
        escaping = dialect.escaping.fromServer.field
        overflow = dialect.framing.fromClient.overflow
        // Escaping at most doubles the length of a nickname.
        let overhead = Self.relayOverheadBytesMax + 2 * nicknameBytesMax
        textBytesMax = max(0, dialect.framing.fromServer.limits.lineBytesMax - overhead)
    }

    /// Result of parsing a line.
    package enum Reading: Sendable, Hashable {
        case request(ChatRequest)
        /// A request with surplus arguments. It is the first such request for its command, so the
        /// caller must log it.
        case surplus(ChatRequest, command: String, extra: Int)
        /// A line to be dropped silently.
        case nothing
        /// A line that ends the connection.
        case end(DisconnectReason)
    }

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
        let indices = entry.argumentIndices
        switch entry.verb {
        case .login:
            return .login(
                nickname: text(indices[0], line), password: text(indices[1], line),
                isVisitor: number(indices[2], line) == 1)
        case .logout: return .logout
        case .ping: return .ping(token: text(indices[0], line))
        case .join: return .join(chat: room(indices[0], line))
        case .leave: return .leave(chat: room(indices[0], line))
        case .who: return .who(chat: room(indices[0], line))
        case .history:
            let count = indices[1] == nil ? Int64.max : number(indices[1], line)
            return .history(chat: room(indices[0], line), count: count)
        case .sendMessage, .sendHidden, .sendPrivate, .runAction:
            return relayRequest(line, entry.verb, indices)
        case .open:
            return .open(scene: text(indices[0], line), members: line.list("members"))
        case .sendContent: return contentRequest(line, indices)
        case .rename, .away, .topic, .kick, .invite, .change:
            return unreadable(line, Refusal(.notUnderstood, "no such command"))
        }
    }

    /// Returns a request to relay text, or a refusal if the relayed line would be too long.
    private func relayRequest(
        _ line: RequestLine, _ verb: ChatVerb, _ indices: [Int?]
    ) -> ChatRequest {
        let text = self.text(indices[indices.count - 1], line)
        guard fits(text) else {
            return .unreadable(.verb(verb), Refusal(.tooLong, "too long to relay"))
        }
        switch verb {
        case .sendPrivate:
            return .sayPrivately(to: self.text(indices[0], line), text: text)
        case .runAction:
            return .runAction(chat: room(indices[0], line), action: text)
        default:
            return .say(
                from: number(indices[0], line), chat: room(indices[1], line), text: text,
                isHidden: verb == .sendHidden)
        }
    }

    /// Returns a request with non-text content, or a refusal if the relayed line would be too long.
    private func contentRequest(_ line: RequestLine, _ indices: [Int?]) -> ChatRequest {
        let (format, data) = (text(indices[2], line), text(indices[3], line))
        let word = String(decoding: text(indices[1], line), as: UTF8.self)
        guard let type = ContentType(rawValue: word), type != .text else {
            let reason = "the content type must be image, voice or hint"
            return .unreadable(.verb(.sendContent), Refusal(.notUnderstood, reason))
        }
        guard format.count <= Self.formatBytesMax, fits(data, adding: Self.contentOverheadBytesMax)
        else {
            return .unreadable(
                .verb(.sendContent), Refusal(.tooLong, "too long to relay"))
        }
        return .sendContent(chat: room(indices[0], line), type, format: format, data: data)
    }

    private func number(_ index: Int?, _ line: RequestLine) -> Int64 {
        index.map(line.number(at:)) ?? 0
    }

    private func room(_ index: Int?, _ line: RequestLine) -> RoomName {
        .number(number(index, line))
    }

    private func text(_ index: Int?, _ line: RequestLine) -> [UInt8] {
        index.map(line.text(at:)) ?? []
    }

    /// Returns whether the encoded text and `overhead` more bytes fit into a relayed line.
    private func fits(_ text: [UInt8], adding overhead: Int = 0) -> Bool {
        let bytesMax = textBytesMax - overhead
        // No escape rule encodes a byte as more than four bytes.
        if text.count <= bytesMax / 4 { return true }
        do {
            return try escaping.encode(text).count <= bytesMax
        } catch {
            return false
        }
    }

    /// Returns a request that contains the refusal and the line's command, truncated if it is long.
    private func unreadable(_ line: RequestLine, _ refusal: Refusal) -> ChatRequest {
        var name = line.verb
        if name.count > Self.echoedCommandBytesMax {
            name.removeSubrange(Self.echoedCommandBytesMax...)
            name.removeIncompleteCharacter()
        }
        return .unreadable(.wire(name), refusal)
    }
}
