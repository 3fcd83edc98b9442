import Session

/// A minimal IRC server with optional faults.
struct ToyIRCServer: SimulatedServer {
    enum Fault {
        case none, refusesConnections, closesAtOnce, resetsAtOnce, neverAnswers,
            acceptsTakenNicknames
        case answersPingLate, keepsStaleSessions, repeatsMessages
    }

    var fault = Fault.none
    private var nicknames: [ConnectionID: String] = [:]
    private var registered: Set<ConnectionID> = []

    init(fault: Fault = .none) { self.fault = fault }

    mutating func connected(_ client: ConnectionID) -> [ServerEffect] {
        switch fault {
        case .refusesConnections: [.refuse(client)]
        case .closesAtOnce: [.close(client)]
        case .resetsAtOnce: [.reset(client)]
        default: []
        }
    }

    mutating func disconnected(_ client: ConnectionID) -> [ServerEffect] {
        guard fault != .keepsStaleSessions else { return [] }
        nicknames[client] = nil
        registered.remove(client)
        return [.close(client)]
    }

    mutating func received(_ line: String, from client: ConnectionID) -> [ServerEffect] {
        guard fault != .neverAnswers else { return [] }
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard let verb = words.first?.uppercased() else { return [] }
        let argument = words.count > 1 ? words[1] : ""
        switch verb {
        case "NICK": return nick(argument, client)
        case "USER": return register(client)
        case "PING":
            guard registered.contains(client) else {
                return [.send(client, ":srv 451 * :You have not registered\r\n")]
            }
            let pong = ":srv PONG srv \(argument)\r\n"
            return fault == .answersPingLate
                ? [.sendLater(client, pong, 10_000_000_000)] : [.send(client, pong)]
        case "PRIVMSG": return message(line, words, client)
        case "QUIT":
            nicknames[client] = nil
            return [.send(client, "ERROR :Closing link\r\n"), .close(client)]
        default:
            let nickname = nicknames[client] ?? "*"
            return [.send(client, ":srv 421 \(nickname) \(verb) :Unknown command\r\n")]
        }
    }

    private mutating func nick(_ name: String, _ client: ConnectionID) -> [ServerEffect] {
        let taken = nicknames.contains {
            $0.key != client && $0.value.lowercased() == name.lowercased()
        }
        if taken, fault != .acceptsTakenNicknames {
            return [.send(client, ":srv 433 * \(name) :Nickname is already in use\r\n")]
        }
        nicknames[client] = name
        return []
    }

    private mutating func register(_ client: ConnectionID) -> [ServerEffect] {
        guard let name = nicknames[client] else { return [] }
        registered.insert(client)
        return [
            .send(client, "NOTICE * :*** hello\r\n"),
            .send(client, ":srv 001 \(name) :Welcome \(name)\r\n:srv 372 \(name) :- a motd\r\n"),
            .send(client, ":srv 376 \(name) :End of MOTD\r\n"),
        ]
    }

    private func message(
        _ line: String, _ words: [String], _ client: ConnectionID
    ) -> [ServerEffect] {
        guard words.count == 3, let sender = nicknames[client] else { return [] }
        guard let target = nicknames.first(where: { $0.value == words[1] })?.key else {
            return [.send(client, ":srv 401 \(sender) \(words[1]) :No such nick\r\n")]
        }
        let text = words[2].hasPrefix(":") ? words[2] : ":\(words[2])"
        let out = ServerEffect.send(target, ":\(sender)!u@h PRIVMSG \(words[1]) \(text)\r\n")
        return fault == .repeatsMessages ? [out, out] : [out]
    }
}
