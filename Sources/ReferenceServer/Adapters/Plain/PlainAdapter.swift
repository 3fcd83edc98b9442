import ChatModel
package import LineProtocol

/// A line is a message, and all the others get it as it is. Everybody who connects is in, under a name
/// that nobody has to see; a few lines that start with a slash are words for the server.
package final class PlainAdapter: ProtocolAdapter {
    /// The one room there is.
    private static let room: RoomName = 1

    private let words: ReplyEncoder
    private let overflow: Framing.Overflow
    private let faults: FaultInjector
    private var guestLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        words = ReplyEncoder(dialect)
        overflow = dialect.framing.fromClient.overflow
        self.faults = faults
        try words.require(client: ["line"])
        try words.require(server: ["line"])
    }

    /// How the service behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .ascii, alphabet: .word).decided(by: dialect)
        rules.presence = .rooms
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ConnectionID, _ context: inout RequestContext) {
        repeat { guestLast += 1 } while context.service.holder(of: guest) != nil
        context.ask(.login(nickname: guest, password: [], isVisitor: false), from: id)
        context.ask(.join(chat: Self.room), from: id)
    }

    private var guest: [UInt8] { Array("guest-\(guestLast)".utf8) }

    package func forget(_ id: ConnectionID) {}

    package func hear(_ line: RequestLine, from id: ConnectionID, _ context: inout RequestContext) {
        switch line.verdict(overflow, open: .truncate) {
        case .carryOut: break
        case .nothing, .refuse: return
        case .end(let departure): return context.end(id, departure)
        }
        let text = line.text("text") ?? []
        let parts = text.split(separator: ASCII.blank, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch (parts.first, parts.count) {
        case ("/name", 2): context.ask(.rename(to: Array(parts[1].utf8)), from: id)
        case ("/who", 1): context.ask(.who(chat: Self.room), from: id)
        case ("/history", 1): context.ask(.history(chat: Self.room, count: .max), from: id)
        case ("/stats", 1): context.answer(id, stats())
        case ("/quit", 1): context.close(id, .loggedOut)
        default:
            context.ask(.say(from: 0, chat: Self.room, text: text, isHidden: false), from: id)
        }
    }

    /// The faults that were committed, one a line.
    private func stats() -> [UInt8] {
        faults.counts.flatMap { fault, count in
            words.line("line", ["text": .text("\(fault.rawValue) \(count)")])
        } + words.line("line", ["text": .text("end of stats")])
    }

    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .message(let record, _): try say(record.text, &line)
        case .listed(_, let nickname, _): try say(nickname, &line)
        case .whoEnd(let count): try say(Array("\(count) here".utf8), &line)
        case .record(let record, _): try say(record.text, &line)
        case .historyEnd(_, let count): try say(Array("\(count) lines".utf8), &line)
        case .renamed(_, let name) where id.flatMap { service.session($0) }?.nickname.bytes == name:
            try say(Array("you are ".utf8) + name, &line)
        case .refused(_, let refusal): try say(Array(refusal.reason.utf8), &line)
        case .loggedOut(let departure): try say(departure.reasonBytes, &line)
        case .goingDown(_, let reason): try say(Array(reason.utf8), &line)
        default: break
        }
    }

    private func say(_ text: [UInt8], _ line: inout [UInt8]) throws(EncodingError) {
        try words.append("line", ["text": .text(text)], to: &line)
    }
}
