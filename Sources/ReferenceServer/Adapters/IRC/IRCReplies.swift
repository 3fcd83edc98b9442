import ChatModel
import LineProtocol

/// A writer of answers to commands. Answers are truncated to the line limit.
///
/// A class, because all parts of the adapter use it, and the dialect in its encoder is large.
final class IRCReplies {
    let encoder: ReplyEncoder
    private let clients: IRCClients
    let faults: FaultInjector
    private let lineBytesMax: Int

    init(_ encoder: ReplyEncoder, _ clients: IRCClients, _ faults: FaultInjector) {
        self.encoder = encoder
        self.clients = clients
        self.faults = faults
        lineBytesMax = encoder.dialect.framing.fromServer.limits.lineBytesMax
    }

    /// Sends an answer, truncated to the line limit.
    func send(
        _ name: String, to id: ClientID, _ context: inout RequestContext,
        _ values: ReplyEncoder.Values = [:], text: String? = nil
    ) {
        var line: [UInt8] = []
        append(name, for: id, context.service, values, text: text, to: &line)
        context.answer(id, line)
    }

    /// Appends an answer, truncated to the line limit.
    func append(
        _ name: String, for id: ClientID, _ service: borrowing ChatService,
        _ values: ReplyEncoder.Values = [:], text: String? = nil, to line: inout [UInt8]
    ) {
        let start = line.count
        let others: ReplyEncoder.Values = [
            "source": .text(IRCRules.serverName), "client": .text(clients.name(of: id, service)),
            "text": text.map { .text($0) } ?? .absent,
        ]
        do {
            try encoder.append(name, values, and: others, to: &line)
        } catch {
            return
        }
        cut(&line, from: start)
    }

    /// Truncates an overlong line at a character boundary.
    func cut(_ line: inout [UInt8], from start: Int) {
        guard line.count - start > lineBytesMax else { return }
        var kept = Array(line[start..<(start + lineBytesMax - 2)])
        kept.removeIncompleteCharacter()
        line.replaceSubrange(start..., with: kept + [ASCII.cr, ASCII.lf])
    }

    /// Maximum total bytes of the names in one line. With the server name, nickname and channel
    /// added, the line stays below 512 bytes.
    private static let namesBytesMax = 380

    /// Splits names across as many lines as needed.
    func lines(of names: [[UInt8]]) -> [[ArgumentValue]] {
        var lines: [[ArgumentValue]] = []
        var bytes = 0
        for name in names {
            if lines.isEmpty || bytes + name.count + 1 > Self.namesBytesMax {
                if !lines.isEmpty, faults.shouldInject(.longListsCut) { break }
                lines.append([])
                bytes = 0
            }
            lines[lines.count - 1].append(.text(name))
            bytes += name.count + 1
        }
        return lines
    }

    // MARK: Errors

    func unknownCommand(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard context.service.session(id) != nil else {
            return notRegistered(id, &context)
        }
        // A numeric from a client is dropped (RFC 1459 §2.4).
        if line.verb.count == 3, line.verb.allSatisfy(ASCII.isDigit) { return }
        send(
            "unknownCommand", to: id, &context,
            ["command": .text(line.verb)], text: "Unknown command")
    }

    func userNotInChannel(
        _ nickname: [UInt8], _ channel: [UInt8], to id: ClientID, _ context: inout RequestContext
    ) {
        send(
            "userNotInChannel", to: id, &context,
            ["nickname": .text(nickname), "channel": .text(channel)],
            text: "They aren't on that channel")
    }

    func notRegistered(_ id: ClientID, _ context: inout RequestContext) {
        send("notRegistered", to: id, &context, text: "You have not registered")
    }

    func needMore(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        send(
            "needMoreParameters", to: id, &context,
            ["command": .text(line.verb)], text: "Not enough parameters")
    }
}

extension ChatUser {
    /// The user as the source of a line: `nickname!user@host`.
    var hostmask: [UInt8] {
        var mask = nickname
        mask.reserveCapacity(mask.count + account.count + host.count + 2)
        mask.append(0x21)
        mask.append(contentsOf: account)
        mask.append(0x40)
        mask.append(contentsOf: host)
        return mask
    }
}
