package import LineProtocol

/// The treatment of a line, decided by its framing alone.
package enum FrameVerdict: Sendable, Hashable {
    case carryOut
    /// Drops the line without an answer.
    case nothing
    case end(DisconnectReason)
    case refuse(Refusal)
}

extension RequestLine {
    /// Returns how to treat the line.
    ///
    /// - Parameters:
    ///   - overflow: The dialect's policy for lines that exceed the limit.
    ///   - open: The policy to apply if the dialect does not specify one.
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
    /// Returns a description of the issue for a refusal.
    func explanation(_ signature: CommandSignature) -> String {
        switch self {
        case .unknownCommand: "no such command"
        case .notJSON(let error): error.words
        case .tooFew(let missing): "missing arguments: \(missing)"
        case .tooMany(let extra): "too many arguments: \(extra) extra"
        case .invalidArgument(let index):
            "\(signature.arguments[index].name) must be of type \(signature.arguments[index].type.name)"
        case .badEscape(let index, _):
            "bad escape in \(signature.arguments[index].name)"
        }
    }
}
