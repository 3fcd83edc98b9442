import DialectModel
import LineProtocol

/// A tracker of operator names. A name is set when the client logs in or changes it, and when the
/// server announces a change. If the server refuses a client's request, the previous name is
/// restored.
struct OperatorNames {
    /// Number of server lines to wait for a refusal before a name counts as accepted.
    private static let answerLinesMax = 64

    private let names: LoginNames
    /// Classifier that recognises refusals; nil if the dialect has an error.
    private var classifier: LineClassifier?
    private let signatures: [CommandSignature]
    /// For each command that announces a new name, the index of the argument that contains the
    /// name; nil for all other commands. The source of such a line is the old name.
    private var announcements: [Int?]
    private var isConcerned: [Bool]

    init(_ dialect: BoundDialect) {
        names = LoginNames(dialect)
        classifier = try? LineClassifier(dialect)
        signatures = dialect.dialect.commands.signatures
        announcements = Array(repeating: nil, count: signatures.count)
        isConcerned = signatures.indices.map { [names] in names.concerns($0) }
        for (index, signature) in signatures.enumerated() where names.concerns(index) {
            for (other, answer) in signatures.enumerated()
            where answer.wire == signature.wire && answer.direction == .server
                && answer.arguments.contains(where: { $0.position == .source })
            {
                let argument = names.argument(of: index).map { signature.arguments[$0].name }
                announcements[other] = answer.arguments.firstIndex { $0.name == argument }
                isConcerned[other] = announcements[other] != nil
            }
        }
    }

    /// Returns whether lines with this command may change the operator's name.
    @inline(__always)
    func concerns(_ command: Int) -> Bool { isConcerned[command] }

    /// Updates the operator's name after a line from the client. Returns whether the name has
    /// changed.
    func sent(
        _ message: Message, in bytes: Span<UInt8>, _ connection: CapturedConnection
    ) -> Bool {
        let state = connection.conversation
        let known = names.name(message, in: bytes, unlessRankedAbove: state.nameRank)
        guard let known, known.name != state.operatorName else { return false }
        connection.conversation.nameRequest = NameRequest(
            name: state.operatorName, rank: state.nameRank)
        connection.fromServer.isAwaitingName = true
        set(known.name, known.rank, connection)
        return true
    }

    /// Updates the operator's name after a line from the server. Returns whether the name has
    /// changed.
    mutating func received(
        _ message: Message, _ frame: Frame, in bytes: Span<UInt8>, _ connection: CapturedConnection
    ) -> Bool {
        if connection.fromServer.isAwaitingName, isRefused(message, frame, bytes, connection) {
            return true
        }
        guard let command = message.command, let index = announcements[command],
            index < message.arguments.count, let source = message.split.source
        else { return false }
        let current = connection.conversation.operatorName
        if current.isEmpty { return false }
        let old = source.prefix { bytes[$0] != UInt8(ascii: "!") }
        let new = message.bytes(message.arguments[index], in: bytes)
        guard ASCII.isSame(bytes.extracting(old), current.span), !new.isEmpty, new != current
        else { return false }
        set(new, connection.conversation.nameRank, connection)
        return true
    }

    /// Returns whether the line refuses the name that the client has requested. If it does,
    /// restores the operator's previous name.
    private mutating func isRefused(
        _ message: Message, _ frame: Frame, _ bytes: Span<UInt8>, _ connection: CapturedConnection
    ) -> Bool {
        guard let lines = connection.conversation.countAnswerLine() else { return false }
        let name = connection.conversation.operatorName
        var isNamed = false
        for index in 0..<message.split.fields.count where !isNamed {
            let field = message.split.fields[index].value
            isNamed =
                field.count == name.count && ASCII.isSame(bytes.extracting(field), name.span)
        }
        let isRefusal =
            (isNamed || lines == 1)
            && classifier?.isRefusal(message, frame, in: bytes, for: name) ?? false
        guard isRefusal || isNamed || lines >= Self.answerLinesMax else { return false }
        let request = connection.conversation.nameRequest
        connection.conversation.nameRequest = nil
        connection.fromServer.isAwaitingName = false
        if isRefusal, let request { set(request.name, request.rank, connection) }
        return isRefusal
    }

    /// Sets the operator's name and its rank, and discards cached prefixes.
    private func set(_ name: [UInt8], _ rank: Int, _ connection: CapturedConnection) {
        connection.conversation.operatorName = name
        connection.conversation.nameRank = rank
        connection.record.discardPrefixes()
    }
}

extension LineClassifier {
    /// Returns true if a decoded line is a refusal.
    mutating func isRefusal(
        _ message: Message, _ frame: Frame, in bytes: Span<UInt8>, for name: [UInt8]
    ) -> Bool {
        mayBeRefusal(command: message.command, verb: bytes.array(message.split.verb))
            && isRefusal(ReceivedLine(frame, in: bytes, at: 0), for: name)
    }
}
