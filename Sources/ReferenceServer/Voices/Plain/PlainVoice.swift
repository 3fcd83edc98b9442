import ChatModel
package import LineProtocol

/// A line is a message, and all the others get it as it is. Everybody who connects is in, under a name
/// that nobody has to see; a few lines that start with a slash are words for the server.
package final class PlainVoice: Voice {
    /// The one room there is.
    private static let room: RoomName = 1

    private let words: Wording
    private let overflow: Framing.Overflow
    private let faults: FaultInjector
    private var guestLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        words = Wording(dialect)
        overflow = dialect.framing.fromClient.overflow
        self.faults = faults
        try words.require(client: ["line"])
        try words.require(server: ["line"])
    }

    /// How the hall behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .ascii, alphabet: .word).decided(by: dialect)
        rules.presence = .rooms
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ConnectionID, _ stage: inout Stage) {
        repeat { guestLast += 1 } while stage.hall.holder(of: guest) != nil
        stage.ask(.login(nickname: guest, password: [], isVisitor: false), from: id)
        stage.ask(.join(chat: Self.room), from: id)
    }

    private var guest: [UInt8] { Array("guest-\(guestLast)".utf8) }

    package func forget(_ id: ConnectionID) {}

    package func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage) {
        switch line.verdict(overflow, open: .truncate) {
        case .carryOut: break
        case .nothing, .refuse: return
        case .end(let departure): return stage.end(id, departure)
        }
        let text = line.text("text") ?? []
        let parts = text.split(separator: ASCII.blank, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch (parts.first, parts.count) {
        case ("/name", 2): stage.ask(.rename(to: Array(parts[1].utf8)), from: id)
        case ("/who", 1): stage.ask(.who(chat: Self.room), from: id)
        case ("/history", 1): stage.ask(.history(chat: Self.room, count: .max), from: id)
        case ("/stats", 1): stage.answer(id, stats())
        case ("/quit", 1): stage.close(id, .loggedOut)
        default:
            stage.ask(.say(from: 0, chat: Self.room, text: text, isHidden: false), from: id)
        }
    }

    /// The faults that were committed, one a line.
    private func stats() -> [UInt8] {
        faults.counts.flatMap { fault, count in
            words.line("line", ["text": .text("\(fault.rawValue) \(count)")])
        } + words.line("line", ["text": .text("end of stats")])
    }

    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ hall: borrowing ChatHall,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .message(let record, _): try say(record.text, &line)
        case .listed(_, let nickname, _): try say(nickname, &line)
        case .whoEnd(let count): try say(Array("\(count) here".utf8), &line)
        case .record(let record, _): try say(record.text, &line)
        case .historyEnd(_, let count): try say(Array("\(count) lines".utf8), &line)
        case .renamed(_, let name) where id.flatMap { hall.session($0) }?.nickname.bytes == name:
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
