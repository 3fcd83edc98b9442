import DialectModel
import LineProtocol
import Session

/// From events to steps.
extension ScenarioDraft {
    /// Operators are called as they log in, as far as that is a name; connections without a line are none.
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

    mutating func addSteps(_ conversation: Conversation, _ classifier: inout LineClassifier) {
        var openQuestions = Array(repeating: 0, count: operators.count)
        var ended: Set<Int> = []
        let ends = ConversationEnds(conversation)
        for (index, event) in conversation.events.enumerated() {
            let actor = event.connection
            if case .remark(let text) = event.kind { add(.remark(text), event) }
            guard actor < operators.count, !operators[actor].isEmpty, !ended.contains(actor) else {
                continue
            }
            switch event.kind {
            case .opened:
                // The operator connects by itself if its first step comes next.
                let next = conversation.events.dropFirst(index + 1).first
                if next?.connection != actor { add(.connect, event) }
            case .line(let line):
                if replies.isAsked(line) {
                    openQuestions[actor] += 1
                } else if replies.isAnswer(line, open: openQuestions[actor]) {
                    openQuestions[actor] -= 1
                } else if line.direction == .fromClient {
                    add(.send(Line(line)), event)
                } else if !options.dropsUnasked
                    || !classifier.isUnsolicited(
                        ReceivedLine(line.bytes, payload: line.payload), for: loginNames[actor])
                {
                    add(.expect(Line(line)), event)
                }
            case .closed(by: .fromClient, isReset: true):
                add(.abort, event)
                ended.insert(actor)
            case .closed(by: .fromClient, isReset: false):
                if addEnd(event, index, ends) { ended.insert(actor) }
            case .closed(by: .fromServer, let isReset):
                add(.closed(isReset: isReset), event)
                ended.insert(actor)
            case .remark: break
            }
        }
    }

    /// Adds that a client has ended its direction; false if the server goes on.
    private mutating func addEnd(
        _ event: Conversation.Event, _ index: Int, _ ends: ConversationEnds
    ) -> Bool {
        guard ends.isHeard(event.connection, after: index) else {
            add(.close, event)
            return true
        }
        guard options.comparesOccurrences, ends.isCrowded(event.connection, at: index) else {
            add(.halfClose, event)
            return false
        }
        add(.close, event)
        let name = operators[event.connection]
        add(.remark("what \(name) heard after that, as others left too, comes by chance"), event)
        return true
    }

    private mutating func add(_ kind: Kind, _ event: Conversation.Event) {
        steps.append(Step(actor: event.connection, time: event.time, kind: kind))
    }
}

/// How connections come to their ends.
private struct ConversationEnds {
    /// The place of the last event in which each connection's server said something.
    private var lastHeard: [Int: Int] = [:]
    /// Connections that the client's machine reset after the client had ended its direction: it had closed
    /// the connection, and read nothing more.
    private var deaf: Set<Int> = []
    /// Where clients ended, in order.
    private var closes: [(index: Int, connection: Int)] = []
    /// For each of them, where its connection had a line before.
    private var lastLines: [Int: Int] = [:]

    init(_ conversation: Conversation) {
        var closed: Set<Int> = []
        for (index, event) in conversation.events.enumerated() {
            switch event.kind {
            case .line(let line):
                if line.direction == .fromServer { lastHeard[event.connection] = index }
                if !closed.contains(event.connection) { lastLines[event.connection] = index }
            case .closed(by: .fromClient, let isReset):
                if isReset, closed.contains(event.connection) { deaf.insert(event.connection) }
                if closed.insert(event.connection).inserted {
                    closes.append((index, event.connection))
                }
            default: continue
            }
        }
    }

    /// Whether the client could read anything that came after the event.
    func isHeard(_ connection: Int, after index: Int) -> Bool {
        lastHeard[connection, default: 0] > index && !deaf.contains(connection)
    }

    /// Whether others ended between the connection's last line before the event and the last that came
    /// after it, so that which of the ends the server takes first is left to chance.
    func isCrowded(_ connection: Int, at index: Int) -> Bool {
        let first = lastLines[connection, default: 0]
        let last = lastHeard[connection, default: 0]
        // Those before the first are found by halving, as there may be thousands.
        var low = 0
        var high = closes.count
        while low < high {
            let middle = (low + high) / 2
            if closes[middle].index <= first { low = middle + 1 } else { high = middle }
        }
        return closes[low...].prefix { $0.index < last }.contains { $0.connection != connection }
    }
}

/// Names that a scenario can have.
enum VariableName {
    /// Words that stand for something else where a variable or an operator is named.
    private static let reserved: Set<String> = [
        "self", "nonce", "token", "length", "end", "name", "nick", "env", "server", "title",
        "dialect",
        "operators", "tags", "cite", "timeout", "set", "secret", "known", "skip", "exec", "on",
        "ignore", "wait", "think", "sync", "use", "any", "repeat", "eventually", "outcome",
        "fragment", "connect", "close", "closed", "half-close", "abort", "quiet", "same", "reply",
    ]
    private static let countMax = 40

    /// A name made of a value's letters and digits; nil if it has none to begin with.
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

    /// The name, or with a number behind it if it is taken or means something else.
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
