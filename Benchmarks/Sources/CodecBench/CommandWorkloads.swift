import ChatModel
import LineProtocol
import Measuring

/// The commands of ``Corpus/livechat`` as Swift types.
private struct DidReceive: ChatCommand {
    var id: Int
    var text: String
    var sender: String
    var chat: Int
    var hidden: Bool
}

private struct DidType: ChatCommand {
    var chat: Int
    var typing: Bool
}

private struct DidLogin: ChatCommand {
    var id: Int
    var nick: String
    var available: Bool
    var chats: [Int]
}

private struct DidPing: ChatCommand {
    var token: Int
}

/// Workloads for typed commands: each direction compared with the same work without types.
func commandWorkloads(_ corpus: Corpus) -> [Workload] {
    [
        decoding(corpus), readingByHand(corpus), reading(corpus), encoding(corpus),
        writing(corpus),
    ]
}

private let reads = "framing, splitting, typed decoding"
private let writes = "typed encoding"

/// Handwritten code for each command: the lower bound, given that strings have to be created.
private func readingByHand(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    let dialect = corpus.dialect
    let decoder = MessageDecoder(dialect)
    return Workload(name: "and structs made by hand", reference: reads) { passes in
        var framer = LineFramer(dialect, direction: .fromServer)
        var message = Message()
        var lines = 0
        for _ in 0..<passes {
            framer.append(bytes)
            while let frame = framer.next() {
                decoder.decode(framer.buffer.span, frame, from: .fromServer, into: &message)
                if made(message, framer.buffer.span, dialect) { lines += 1 }
            }
        }
        return lines
    }
}

private func made(_ message: Message, _ bytes: Span<UInt8>, _ dialect: Dialect) -> Bool {
    func text(_ index: Int) -> String {
        message.withBytes(message.arguments[index], in: bytes) { span in
            span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }
    }
    func number(_ index: Int) -> Int { Int(message.arguments[index].number) }
    switch message.command {
    case 0:
        let command = DidReceive(
            id: number(0), text: text(1), sender: text(2), chat: number(3), hidden: number(4) == 1)
        return !command.sender.isEmpty
    case 1: return DidType(chat: number(0), typing: number(1) == 1).chat > 0
    case 2:
        var chats: [Int] = []
        let signature = dialect.commands.signatures[2]
        if case .list(let values) = message.value(at: 3, of: signature, in: bytes) {
            for case .int(let chat) in values { chats.append(Int(chat)) }
        }
        let command = DidLogin(
            id: number(0), nick: text(1), available: number(2) == 1, chats: chats)
        return command.chats.count > 0
    case 3: return DidPing(token: number(0)).token > 0
    default: return false
    }
}

private func reading(_ corpus: Corpus) -> Workload {
    let bytes = corpus.bytes
    var map = CommandMap<Bool>(corpus.dialect, from: .fromServer)
    do {
        try map.on(DidReceive.self) { !$0.sender.isEmpty }
        try map.on(DidType.self) { $0.chat > 0 }
        try map.on(DidLogin.self) { $0.chats.count > 0 }
        try map.on(DidPing.self) { $0.token > 0 }
    } catch {
        print("FAILED: \(error)")
    }
    let settled = map
    return Workload(name: "and typed commands", reference: reads) { passes in
        var reader = CommandReader(settled)
        var lines = 0
        for _ in 0..<passes {
            reader.append(bytes)
            while let isWhole = try? reader.next() { if isWhole { lines += 1 } }
        }
        return lines
    }
}

/// Number of lines written per pass.
private let written = 100

private func encoding(_ corpus: Corpus) -> Workload {
    let encoder = MessageEncoder(corpus.dialect, direction: .fromServer)
    return Workload(name: writes, reference: "") { passes in
        var bytes: [UInt8] = []
        var lines = 0
        for _ in 0..<passes {
            bytes.removeAll(keepingCapacity: true)
            for number in 0..<written {
                let values: [ArgumentValue] = [
                    .int(Int64(number)), .text("My order number is 4711"), .text("Joe"),
                    .int(2134), .bool(false),
                ]
                if (try? encoder.append(0, values, to: &bytes)) != nil { lines += 1 }
            }
        }
        return lines
    }
}

private func writing(_ corpus: Corpus) -> Workload {
    let writer = CommandWriter(corpus.dialect, from: .fromServer)
    return Workload(name: "typed commands", reference: writes) { passes in
        var bytes: [UInt8] = []
        var lines = 0
        for _ in 0..<passes {
            bytes.removeAll(keepingCapacity: true)
            for number in 0..<written {
                let command = DidReceive(
                    id: number, text: "My order number is 4711", sender: "Joe", chat: 2134,
                    hidden: false)
                if (try? writer.append(command, to: &bytes)) != nil { lines += 1 }
            }
        }
        return lines
    }
}
