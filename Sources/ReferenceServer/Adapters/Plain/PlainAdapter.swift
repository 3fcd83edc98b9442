import ChatModel
package import LineProtocol

/// An adapter for a protocol in which every line is a message to all other clients, except that
/// lines starting with a slash are commands. Clients get a guest name when they connect.
package final class PlainAdapter: ProtocolAdapter {
    private static let room: RoomName = 1

    private let encoder: ReplyEncoder
    private let overflow: Framing.Overflow
    private let faults: FaultInjector
    private var guestLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        encoder = ReplyEncoder(dialect)
        overflow = dialect.framing.fromClient.overflow
        self.faults = faults
        try encoder.require(client: ["line"])
        try encoder.require(server: ["line"])
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .ascii, alphabet: .word).decided(by: dialect)
        rules.presence = .rooms
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        repeat { guestLast += 1 } while context.service.holder(of: guest) != nil
        context.ask(.login(nickname: guest, password: [], isVisitor: false), from: id)
        context.ask(.join(chat: Self.room), from: id)
    }

    private var guest: [UInt8] { Array("guest-\(guestLast)".utf8) }

    package func forget(_ id: ClientID) {}

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        switch line.verdict(overflow, open: .truncate) {
        case .carryOut: break
        case .nothing, .refuse: return
        case .end(let departure): return context.end(id, departure)
        }
        let text = line.text("text") ?? []
        let parts = text.split(separator: ASCII.space, maxSplits: 1).map {
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

    private func stats() -> [UInt8] {
        faults.counts.flatMap { fault, count in
            encoder.line("line", ["text": .text("\(fault.rawValue) \(count)")])
        } + encoder.line("line", ["text": .text("end of stats")])
    }

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .message(let record, _): try encode(record.text, &line)
        case .listed(_, let nickname, _): try encode(nickname, &line)
        case .whoEnd(let count): try encode(Array("\(count) here".utf8), &line)
        case .record(let record, _): try encode(record.text, &line)
        case .historyEnd(_, let count): try encode(Array("\(count) lines".utf8), &line)
        case .renamed(_, let name) where id.flatMap { service.session($0) }?.nickname.bytes == name:
            try encode(Array("you are ".utf8) + name, &line)
        case .refused(_, let refusal): try encode(Array(refusal.reason.utf8), &line)
        case .loggedOut(let departure): try encode(departure.reasonBytes, &line)
        case .goingDown(_, let reason): try encode(Array(reason.utf8), &line)
        default: break
        }
    }

    private func encode(_ text: [UInt8], _ line: inout [UInt8]) throws(EncodingError) {
        try encoder.append("line", ["text": .text(text)], to: &line)
    }
}
