import DialectModel
import LineProtocol

/// A chat message in a line: sent by a client, or delivered by the server.
struct CapturedMessage {
    var text: [UInt8]
    /// The room or the recipient, as written in the line; nil if the line contains neither.
    var target: [UInt8]?
    /// In a sent line, the name of the only recipient if this is not a room; nil if it must be one.
    var directName: [UInt8]?
    /// In a delivered line, the sender's name; nil if the line does not contain it.
    var from: [UInt8]?
}

/// The lines of a dialect that send and deliver messages and change who is in a room.
struct ChatLines {
    let shapes: BehaviourShapes
    private let enter: (request: LineShape, answer: LineShape?)?
    private let leave: (request: LineShape, answer: LineShape)?
    /// The server's commands with the same name as the request to enter a room, such as `JOIN` in
    /// IRC. If there are any, they show who has entered, instead of the answer.
    private let entryNotices: Set<Int>
    /// For server commands that may show that an operator was removed from a room, the index of
    /// the argument with the room.
    private let removals: [Int: Int]
    private let logout: LineShape?
    private let texts: CommandTexts
    private let batches: [Int: Int]

    init(_ dialect: BoundDialect) {
        shapes = BehaviourShapes(dialect)
        let signatures = dialect.dialect.commands.signatures
        texts = CommandTexts(dialect.dialect, .log, showsSecrets: false, anonymises: false)
        func lines(_ name: String, _ direction: Direction) -> [LineShape] {
            (dialect[name]?.lines.map(\.shape) ?? []).filter { $0.direction == direction }
        }
        func sent(_ name: String) -> LineShape? {
            lines(name, .fromClient).first { $0.variables.contains("room") }
        }
        func awaited(_ name: String) -> LineShape? {
            lines(name, .fromServer).last { $0.variables.contains("room") }
        }
        func serverCommands(like shape: LineShape?) -> [Int] {
            guard let wire = shape.map({ signatures[$0.command].wire }) else { return [] }
            return signatures.indices.filter {
                signatures[$0].direction == .server && signatures[$0].wire == wire
            }
        }
        enter = sent("enter").map { ($0, awaited("enter")) }
        leave = sent("leave").flatMap { request in awaited("leave").map { (request, $0) } }
        entryNotices = Set(serverCommands(like: enter?.request))
        logout = lines("logout", .fromClient).last
        var removals: [Int: Int] = [:]
        if let leave, let room = leave.answer.argument(holding: "room") {
            let name = signatures[leave.answer.command].arguments[room].name
            let taken = entryNotices.union([leave.answer.command])
            for (index, signature) in signatures.enumerated()
            where signature.direction == .server && !taken.contains(index)
                && signatures.contains(where: {
                    $0.direction == .client && $0.wire == signature.wire
                })
            {
                removals[index] = signature.arguments.firstIndex { $0.name == name }
            }
        }
        self.removals = removals
        var batches: [Int: Int] = [:]
        for (index, signature) in signatures.enumerated() {
            batches[index] = signature.arguments.firstIndex {
                if case .tag = $0.position { $0.name == "batch" } else { false }
            }
        }
        self.batches = batches
    }

    /// True if the server's lines show which rooms a client enters.
    var showsEntries: Bool { enter?.answer != nil && leave != nil }

    /// Returns true if a client's line logs it out.
    func logsOut(_ message: Message, in bytes: Span<UInt8>) -> Bool {
        logout?.fits(message, in: bytes) ?? false
    }

    // MARK: Messages

    /// Returns the message that a client's line sends; nil if it sends none, or if its text is
    /// secret.
    func sent(_ message: Message, in bytes: Span<UInt8>) -> CapturedMessage? {
        var found: CapturedMessage?
        if let say = shapes.say, say.sent.fits(message, in: bytes),
            let text = say.sent.value("text", message, in: bytes)
        {
            found = CapturedMessage(
                text: text,
                target: say.target.sent.flatMap { say.sent.argument($0, message, in: bytes) })
        }
        if let relay = shapes.relay, relay.sent.fits(message, in: bytes),
            let text = relay.sent.value("text", message, in: bytes)
        {
            let variable = relay.target.sent
            let target = variable.flatMap { relay.sent.argument($0, message, in: bytes) }
            if found == nil { found = CapturedMessage(text: text, target: target) }
            let prefix = variable.flatMap { relay.sent.prefix(of: $0) } ?? []
            if let target, target.starts(with: prefix) {
                found?.directName = Array(target.dropFirst(prefix.count))
            }
        }
        return texts.holdsSecret(message, in: bytes) ? nil : found
    }

    /// Returns the message that a server's line delivers; nil if it delivers none, if its text is
    /// secret, or if it is part of a batch, such as the history of a room.
    func received(_ message: Message, in bytes: Span<UInt8>) -> CapturedMessage? {
        guard let command = message.command else { return nil }
        if let index = batches[command], index < message.arguments.count,
            !message.arguments[index].isAbsent
        {
            return nil
        }
        for (delivery, isRoom) in [(shapes.say, true), (shapes.relay, false)] {
            guard let delivery, delivery.received.fits(message, in: bytes),
                let text = delivery.received.value("text", message, in: bytes)
            else { continue }
            let target = delivery.target.received.flatMap {
                delivery.received.argument($0, message, in: bytes)
            }
            // If rooms and recipients are different arguments, the room is missing here.
            if isRoom, shapes.relay != nil, target?.isEmpty == true { continue }
            if texts.holdsSecret(message, in: bytes) { return nil }
            return CapturedMessage(
                text: text, target: target?.isEmpty == true ? nil : target,
                from: delivery.received.value("from", message, in: bytes))
        }
        return nil
    }

    // MARK: Rooms

    /// Returns the rooms that a client's line requests to enter.
    func entered(_ message: Message, in bytes: Span<UInt8>) -> [[UInt8]] {
        guard let request = enter?.request, request.fits(message, in: bytes),
            let index = request.argument(holding: "room"), index < message.arguments.count
        else { return [] }
        let argument = message.arguments[index]
        guard argument.kind == .list else { return [message.bytes(argument, in: bytes)] }
        return message.bytes(argument, in: bytes).split(separator: UInt8(ascii: ",")).map(
            Array.init)
    }

    /// A change of the rooms that a client is in.
    enum Change {
        case entered([UInt8])
        case left([UInt8])
        /// The client may have been removed from the room.
        case perhapsLeft([UInt8])
    }

    /// Returns the change that a server's line reports to the client with this name.
    func change(_ message: Message, in bytes: Span<UInt8>, for name: [UInt8]) -> Change? {
        guard let command = message.command else { return nil }
        if let leave, leave.answer.fits(message, in: bytes),
            concerns(leave.answer, message, in: bytes, name: name),
            let room = leave.answer.argument("room", message, in: bytes)
        {
            return .left(room)
        }
        if entryNotices.contains(command) {
            guard isSource(name, message, bytes), let room = roomOfNotice(message, bytes) else {
                return nil
            }
            return .entered(room)
        }
        if entryNotices.isEmpty, let answer = enter?.answer, answer.fits(message, in: bytes),
            concerns(answer, message, in: bytes, name: name),
            let room = answer.argument("room", message, in: bytes)
        {
            return .entered(room)
        }
        return removal(command, message, in: bytes, of: name).map { .perhapsLeft($0) }
    }

    /// Returns the room from which the line may remove the operator: another command that names
    /// both.
    private func removal(
        _ command: Int, _ message: Message, in bytes: Span<UInt8>, of name: [UInt8]
    ) -> [UInt8]? {
        guard let room = removals[command], room < message.arguments.count else { return nil }
        for index in message.arguments.indices where index != room {
            let value = message.bytes(message.arguments[index], in: bytes)
            if !name.isEmpty, NameFolding.isSame(value, name) {
                return message.bytes(message.arguments[room], in: bytes)
            }
        }
        return nil
    }

    private func concerns(
        _ shape: LineShape, _ message: Message, in bytes: Span<UInt8>, name: [UInt8]
    ) -> Bool {
        guard let named = shape.value("name", message, in: bytes), !name.isEmpty else {
            return true
        }
        return NameFolding.isSame(named, name)
    }

    private func isSource(_ name: [UInt8], _ message: Message, _ bytes: Span<UInt8>) -> Bool {
        guard let source = message.split.source, !name.isEmpty else { return false }
        let nickname = bytes.extracting(source).array(0..<source.count)
            .prefix { $0 != UInt8(ascii: "!") }
        return NameFolding.isSame(Array(nickname), name)
    }

    /// Returns the room in a notice that an operator has entered it: the first field.
    private func roomOfNotice(_ message: Message, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard message.split.fields.count > 0 else { return nil }
        return bytes.array(message.split.fields[0].value)
    }
}
