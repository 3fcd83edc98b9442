/// A check that lines conform to their dialect, taking its tolerance rules into account.
///
/// Captures, runs and load tests all use it to check the traffic they observe.
public struct SchemaCheck: Sendable {
    private let tolerances: [Tolerance]
    private let signatures: [CommandSignature]
    private let fromClient: Framing.Side
    private let fromServer: Framing.Side
    /// True if servers may truncate their lines at the limit.
    private let mayTruncate: Bool

    /// Creates a check for the dialect.
    public init(_ dialect: Dialect) {
        tolerances = dialect.commands.signatures.map { $0.tolerance ?? dialect.tolerance }
        signatures = dialect.commands.signatures
        fromClient = dialect.framing.fromClient
        fromServer = dialect.framing.fromServer
        // If the behaviour is unspecified, truncating is not a violation. A server that closes the
        // connection when a client's line is too long may still truncate its own lines, if the
        // prefix it adds makes them too long.
        mayTruncate =
            [.truncate, .close].contains(fromClient.overflow)
            || [.truncate, .open].contains(fromServer.overflow)
    }

    /// Quick test to use before ``isBroken(_:_:)``: returns false for most lines that conform to
    /// the dialect.
    @inlinable
    public static func isSuspicious(_ frame: Frame, _ message: Message) -> Bool {
        frame.issue != nil || message.command == nil || !message.issues.isEmpty
    }

    /// Returns true if the line violates the dialect.
    public func isBroken(_ frame: Frame, _ message: Message) -> Bool {
        frame.issue != nil || firstBreak(message) != nil && !wasTruncated(frame, message)
    }

    /// Returns true if the only problem with the line is that the server truncated it at the limit.
    ///
    /// A truncated line has exactly the maximum length, and its end is missing.
    public func wasTruncated(_ frame: Frame, _ message: Message) -> Bool {
        guard mayTruncate, message.direction == .fromServer, frame.issue == nil,
            message.command != nil,
            message.issues.contains(where: { breaks($0, message) }), isFull(frame, message)
        else { return false }
        return message.issues.allSatisfy { issue in
            switch issue {
            case .tooFew, .invalidArgument, .badEscape: true
            case .unknownCommand, .notJSON, .tooMany: !breaks(issue, message)
            }
        }
    }

    /// Returns a description of each of the line's dialect violations.
    public func breaks(_ frame: Frame, _ message: Message) -> [String] {
        if wasTruncated(frame, message) { return [] }
        let signature = message.command.map { signatures[$0] }
        return (frame.issue.map { [Self.words($0)] } ?? [])
            + message.issues.filter { breaks($0, message) }.map { Self.words($0, signature) }
    }

    /// Returns the first issue that violates the dialect, or nil.
    func firstBreak(_ message: Message) -> MessageIssue? {
        message.command == nil
            ? message.issues.first ?? .unknownCommand : message.issues.first { breaks($0, message) }
    }

    /// Returns true if the line has exactly the maximum length.
    private func isFull(_ frame: Frame, _ message: Message) -> Bool {
        let side = message.direction == .fromServer ? fromServer : fromClient
        var count = frame.line.count
        if side.limits.countsTerminator {
            count += frame.terminator?.count ?? side.terminator.count
        }
        if side.limits.tagBytesMax > 0, let tags = message.split.tags {
            count -= tags.upperBound - frame.line.lowerBound + 1
        }
        return count == side.limits.lineBytesMax
    }

    /// Returns true if an issue of the message violates the dialect.
    package func breaks(_ issue: MessageIssue, _ message: Message) -> Bool {
        guard let command = message.command else { return true }
        // Tolerance rules define how a server treats invalid values. They do not allow it to send
        // any.
        if case .invalidArgument(let index) = issue, message.direction == .fromServer,
            signatures[command].arguments.indices.contains(index),
            signatures[command].arguments[index].isRequired
        {
            return true
        }
        return !issue.isTolerated(by: tolerances[command])
    }

    /// Returns a description of the issue.
    public static func words(_ issue: FrameIssue) -> String {
        switch issue {
        case .lineOverLimit(let excess): "line \(counted(excess, "byte")) too long"
        case .tagsOverLimit(let excess): "tags \(counted(excess, "byte")) too long"
        case .payloadLengthInvalid: "payload length is missing or invalid"
        case .payloadOverLimit(let length): "payload too long: \(counted(length, "byte"))"
        case .payloadNotTerminated: "payload does not have the declared length"
        case .bufferOverLimit(let refused): "\(counted(refused, "byte")) lost"
        case .unterminated: "unterminated"
        }
    }

    /// Returns a description of the issue.
    public static func words(_ issue: MessageIssue, _ signature: CommandSignature?) -> String {
        func name(_ index: Int) -> String {
            guard let signature, signature.arguments.indices.contains(index) else {
                return "argument \(index + 1)"
            }
            return signature.arguments[index].name
        }
        func type(_ index: Int) -> String {
            guard let signature, signature.arguments.indices.contains(index) else { return "value" }
            return signature.arguments[index].type.name
        }
        switch issue {
        case .unknownCommand: return "unknown command"
        case .notJSON(let error): return error.words
        case .tooFew(let missing): return "\(counted(missing, "argument")) missing"
        case .tooMany(let extra): return counted(extra, "extra argument")
        case .invalidArgument(let index): return "\(name(index)) is not a valid \(type(index))"
        case .badEscape(let index, let error):
            return "\(name(index)) has an invalid escape at byte \(error.offset)"
        }
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
