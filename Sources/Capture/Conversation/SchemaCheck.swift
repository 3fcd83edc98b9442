import LineProtocol

/// Whether a line breaks its dialect: what the dialect tolerates does not.
struct SchemaCheck: Sendable {
    private let tolerances: [Tolerance]

    init(_ dialect: Dialect) {
        tolerances = dialect.commands.signatures.map { $0.tolerance ?? dialect.tolerance }
    }

    func isBroken(_ frame: Frame, _ message: Message) -> Bool {
        if frame.issue != nil { return true }
        guard let command = message.command else { return true }
        return message.issues.contains { !$0.isTolerated(by: tolerances[command]) }
    }

    /// What is wrong, in words.
    static func words(_ issue: FrameIssue) -> String {
        switch issue {
        case .lineOverLimit(let excess): "line \(counted(excess, "byte")) too long"
        case .tagsOverLimit(let excess): "tags \(counted(excess, "byte")) too long"
        case .payloadLengthInvalid: "no length of the payload"
        case .payloadOverLimit(let length): "payload of \(counted(length, "byte")) too long"
        case .payloadNotTerminated: "payload is not as long as it says"
        case .bufferOverLimit(let refused): "\(counted(refused, "byte")) lost"
        case .unterminated: "not ended"
        }
    }

    /// What is wrong, in words.
    static func words(_ issue: MessageIssue, _ signature: CommandSignature?) -> String {
        func name(_ place: Int) -> String {
            guard let signature, signature.arguments.indices.contains(place) else {
                return "argument \(place + 1)"
            }
            return signature.arguments[place].name
        }
        func type(_ place: Int) -> String {
            guard let signature, signature.arguments.indices.contains(place) else { return "valid" }
            return signature.arguments[place].type.name
        }
        switch issue {
        case .unknownCommand: return "unknown command"
        case .tooFew(let missing): return "\(counted(missing, "argument")) missing"
        case .tooMany(let extra): return "\(counted(extra, "argument")) too many"
        case .invalidArgument(let place): return "\(name(place)) is no \(type(place))"
        case .badEscape(let place, let error):
            return "\(name(place)) has an escape that means nothing, at byte \(error.offset)"
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
