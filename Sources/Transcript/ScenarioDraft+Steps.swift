import DialectModel
import LineProtocol
import Session

/// Converts events to steps.
extension ScenarioDraft {
    /// Names operators after their login names where possible. A connection without lines gets no
    /// operator.
    mutating func nameOperators(_ conversation: Conversation, _ names: LoginNames) {
        var found: [Int: [UInt8]] = [:]
        var connections: [Int] = []
        var seen: Set<Int> = []
        for event in conversation.events {
            guard case .line(let line) = event.kind else { continue }
            if seen.insert(event.connection).inserted { connections.append(event.connection) }
            if found[event.connection] == nil, line.direction == .fromClient {
                found[event.connection] = names.name(inLine: line.bytes)
            }
        }
        let count = (connections.max() ?? -1) + 1
        operators = Array(repeating: "", count: count)
        loginNames = Array(repeating: [], count: count)
        var taken: Set<String> = []
        for connection in connections {
            let name = found[connection] ?? []
            operators[connection] = VariableName.unique(
                VariableName.from(name) ?? "client", &taken)
            loginNames[connection] = name
        }
    }

    mutating func addSteps(
        _ conversation: Conversation, _ classifier: inout LineClassifier, _ probe: ProbeLines
    ) {
        var openQuestions = Array(repeating: 0, count: operators.count)
        var openProbes = Array(repeating: 0, count: operators.count)
        var ended: Set<Int> = []
        let ends = ConversationEnds(conversation)
        for (index, event) in conversation.events.enumerated() {
            let actor = event.connection
            if case .comment(let text) = event.kind { add(.comment(text), event) }
            guard actor < operators.count, !operators[actor].isEmpty, !ended.contains(actor) else {
                continue
            }
            switch event.kind {
            case .opened:
                // No `connect` step is needed if the operator's first step follows, because that
                // step connects implicitly.
                let next = conversation.events.dropFirst(index + 1).first
                if next?.connection != actor { add(.connect, event) }
            case .line(let line):
                if replies.triggersReply(line) {
                    openQuestions[actor] += 1
                } else if replies.isAnswer(line, open: openQuestions[actor]) {
                    openQuestions[actor] -= 1
                } else if line.direction == .fromClient {
                    add(.send(Line(line)), event)
                    if probe.isSent(line) { openProbes[actor] += 1 }
                } else if !options.dropsUnsolicited
                    || !classifier.isUnsolicited(
                        ReceivedLine(line.bytes, payload: line.payload), for: loginNames[actor])
                {
                    add(.expect(Line(line)), event)
                } else if openProbes[actor] > 0, probe.isAnswer(line) {
                    openProbes[actor] -= 1
                    add(.probeAnswer, event)
                }
            case .startedTLS: add(.startTLS, event)
            case .closed(by: .fromClient, isReset: true):
                add(.abort, event)
                ended.insert(actor)
            case .closed(by: .fromClient, isReset: false):
                if addEnd(event, index, ends) { ended.insert(actor) }
            case .closed(by: .fromServer, let isReset):
                add(.closed(isReset: isReset), event)
                ended.insert(actor)
            case .comment: break
            }
        }
    }

    /// Adds a step for a client that closed its sending direction. Returns false if steps are still
    /// needed for lines that the server sent afterwards.
    private mutating func addEnd(
        _ event: Conversation.Event, _ index: Int, _ ends: ConversationEnds
    ) -> Bool {
        guard ends.receivesLines(event.connection, after: index) else {
            add(.close, event)
            return true
        }
        guard options.comparesOccurrences, ends.overlapsOtherCloses(event.connection, at: index)
        else {
            add(.halfClose, event)
            return false
        }
        add(.close, event)
        let name = operators[event.connection]
        add(
            .comment("lines received by \(name) after this are omitted, because they may vary"),
            event)
        return true
    }

    private mutating func add(_ kind: Kind, _ event: Conversation.Event) {
        steps.append(Step(actor: event.connection, time: event.time, kind: kind))
    }
}

/// Information about how the connections of a conversation end.
private struct ConversationEnds {
    /// For each connection, the index of the server's last line.
    private var lastReceived: [Int: Int] = [:]
    /// Connections that were reset after the client had closed its sending direction. The reset
    /// shows that the client had closed the whole connection and no longer read from it.
    private var resetAfterClose: Set<Int> = []
    /// Closes by clients, in order.
    private var closes: [(index: Int, connection: Int)] = []
    /// For each connection, the index of the last line before the client closed it.
    private var lastLines: [Int: Int] = [:]

    init(_ conversation: Conversation) {
        var closed: Set<Int> = []
        for (index, event) in conversation.events.enumerated() {
            switch event.kind {
            case .line(let line):
                if line.direction == .fromServer { lastReceived[event.connection] = index }
                if !closed.contains(event.connection) { lastLines[event.connection] = index }
            case .closed(by: .fromClient, let isReset):
                if isReset, closed.contains(event.connection) {
                    resetAfterClose.insert(event.connection)
                }
                if closed.insert(event.connection).inserted {
                    closes.append((index, event.connection))
                }
            default: continue
            }
        }
    }

    /// Returns true if more lines arrived after the event and the client could read them.
    func receivesLines(_ connection: Int, after index: Int) -> Bool {
        lastReceived[connection, default: 0] > index && !resetAfterClose.contains(connection)
    }

    /// Returns true if other clients closed their connections between this connection's last line
    /// before the event and its last line after the event. The server may then process the closes
    /// in any order.
    func overlapsOtherCloses(_ connection: Int, at index: Int) -> Bool {
        let first = lastLines[connection, default: 0]
        let last = lastReceived[connection, default: 0]
        // Use a binary search, because thousands of connections may have been closed.
        var low = 0
        var high = closes.count
        while low < high {
            let middle = (low + high) / 2
            if closes[middle].index <= first { low = middle + 1 } else { high = middle }
        }
        return closes[low...].prefix { $0.index < last }.contains { $0.connection != connection }
    }
}

/// Valid names for variables and operators.
enum VariableName {
    /// Words with a special meaning where the name of a variable or operator is expected.
    private static let reserved: Set<String> = [
        "self", "nonce", "token", "length", "end", "name", "nick", "env", "server", "title",
        "dialect",
        "operators", "tags", "cite", "timeout", "set", "secret", "known", "skip", "exec", "on",
        "ignore", "wait", "think", "sync", "use", "any", "repeat", "eventually", "outcome",
        "fragment", "connect", "close", "closed", "half-close", "abort", "starttls", "quiet",
        "same", "reply",
    ]
    private static let countMax = 40

    /// Returns a name that consists of the letters and digits of a value; nil if the value contains
    /// no letters.
    static func from(_ value: [UInt8]) -> String? {
        var name = ""
        for byte in value.prefix(countMax) {
            switch byte {
            case 0x30...0x39 where !name.isEmpty: name.append(Character(Unicode.Scalar(byte)))
            case 0x41...0x5A, 0x61...0x7A: name.append(Character(Unicode.Scalar(byte)))
            case 0x5F where !name.isEmpty: name.append("_")
            default: continue
            }
        }
        return name.isEmpty ? nil : name
    }

    /// Returns the name, with a number appended if it is taken or reserved.
    static func unique(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = reserved.contains(name) ? "\(name)1" : name
        var number = 1
        while !taken.insert(candidate).inserted {
            number += 1
            candidate = "\(name)\(number)"
        }
        return candidate
    }
}
