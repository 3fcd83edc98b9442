/// Whether a line breaks its dialect: what the dialect tolerates does not.
///
/// Wherever traffic is only looked at, in a capture, a run or a load, this is what judges it.
public struct SchemaCheck: Sendable {
    private let tolerances: [Tolerance]
    private let signatures: [CommandSignature]
    private let fromClient: Framing.Side
    private let fromServer: Framing.Side
    /// Whether servers may cut their lines at the maximum.
    private let mayCut: Bool

    /// A check of the dialect's lines.
    public init(_ dialect: Dialect) {
        tolerances = dialect.commands.signatures.map { $0.tolerance ?? dialect.tolerance }
        signatures = dialect.commands.signatures
        fromClient = dialect.framing.fromClient
        fromServer = dialect.framing.fromServer
        // What a dialect leaves open is nobody's break. Who closes at a line that is too long says nothing of those
        // that become so by what it puts before them: it sends no longer ones.
        mayCut =
            [.truncate, .close].contains(fromClient.overflow)
            || [.truncate, .open].contains(fromServer.overflow)
    }

    /// Whether there is anything to be looked at: most lines have nothing.
    @inline(__always)
    public static func isSuspicious(_ frame: Frame, _ message: Message) -> Bool {
        frame.issue != nil || message.command == nil || !message.issues.isEmpty
    }

    /// Whether the line breaks the dialect.
    public func isBroken(_ frame: Frame, _ message: Message) -> Bool {
        frame.issue != nil || firstBreak(message) != nil && !wasCut(frame, message)
    }

    /// Whether all that is wrong with the line is that its server has cut it at the dialect's maximum.
    ///
    /// Such a line is exactly as long as the longest one, and lacks what stood at its end.
    public func wasCut(_ frame: Frame, _ message: Message) -> Bool {
        guard mayCut, message.direction == .fromServer, frame.issue == nil, message.command != nil,
            message.issues.contains(where: { breaks($0, message) }), isFull(frame, message)
        else { return false }
        return message.issues.allSatisfy { issue in
            switch issue {
            case .tooFew, .invalidArgument, .badEscape: true
            case .unknownCommand, .tooMany: !breaks(issue, message)
            }
        }
    }

    /// What breaks the dialect, in words; empty where nothing does.
    public func breaks(_ frame: Frame, _ message: Message) -> [String] {
        if wasCut(frame, message) { return [] }
        let signature = message.command.map { signatures[$0] }
        return (frame.issue.map { [Self.words($0)] } ?? [])
            + message.issues.filter { breaks($0, message) }.map { Self.words($0, signature) }
    }

    /// The first thing about the message that breaks the dialect.
    func firstBreak(_ message: Message) -> MessageIssue? {
        message.command == nil ? .unknownCommand : message.issues.first { breaks($0, message) }
    }

    /// Whether the line has its maximum, to the byte.
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

    private func breaks(_ issue: MessageIssue, _ message: Message) -> Bool {
        guard let command = message.command else { return true }
        // The tolerance says what a server reads into a wrong value; it does not let the server send one.
        if case .invalidArgument(let index) = issue, message.direction == .fromServer,
            signatures[command].arguments.indices.contains(index),
            signatures[command].arguments[index].isRequired
        {
            return true
        }
        return !issue.isTolerated(by: tolerances[command])
    }

    /// What is wrong, in words.
    public static func words(_ issue: FrameIssue) -> String {
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
    public static func words(_ issue: MessageIssue, _ signature: CommandSignature?) -> String {
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
