package import LineProtocol

/// What is to be done with a line because of how it came.
package enum FrameVerdict: Sendable, Hashable {
    case carryOut
    /// It is dropped without a word.
    case nothing
    /// The connection is closed for it.
    case end(DisconnectReason)
    case refuse(Refusal)
}

extension RequestLine {
    /// - Parameters:
    ///   - overflow: what the dialect says of lines over their maximum.
    ///   - open: what is done where it leaves that open.
    package func verdict(
        _ overflow: Framing.Overflow, open: Framing.Overflow
    ) -> FrameVerdict {
        switch frame.issue {
        case nil: return .carryOut
        case .lineOverLimit, .tagsOverLimit:
            switch overflow == .open ? open : overflow {
            case .discard: return .nothing
            case .close: return .end(.lineTooLong)
            case .truncate: return .carryOut
            case .open, .reject: return .refuse(Refusal(.tooLong, "line too long"))
            }
        case .payloadOverLimit: return .refuse(Refusal(.tooLong, "payload too long"))
        case .payloadLengthInvalid, .payloadNotTerminated:
            return .refuse(Refusal(.notUnderstood, "invalid payload"))
        case .bufferOverLimit: return .end(.lineTooLong)
        case .unterminated: return .nothing
        }
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
