import ChatModel

/// A message as a chat client stores it.
struct ChatMessage: LoggedMessage {
    var id: Int64
    var time: Int64
    var sender: String
    var text: String

    /// The message with this number; messages are one second apart.
    init(_ number: Int, at second: Double) {
        id = Int64(number)
        time = Int64(second * 1_000_000_000)
        sender = "Maria"
        text = "How may I help you today? We are open until six."
    }

    /// The same message as a dictionary, a common representation.
    var dictionary: [String: any Sendable] {
        ["id": id, "time": time, "sender": sender, "text": text]
    }
}

/// The reference for the log: a sorted array of dictionaries with a set of ids and binary search, which is as
/// fast as such an array can be.
struct SortedDictionaries {
    let messagesMax: Int
    private(set) var messages: [[String: any Sendable]] = []
    private var ids: Set<Int64> = []

    init(messagesMax: Int) {
        self.messagesMax = messagesMax
    }

    static func time(_ message: [String: any Sendable]) -> Int64 {
        message["time"] as? Int64 ?? 0
    }

    static func id(_ message: [String: any Sendable]) -> Int64 {
        message["id"] as? Int64 ?? 0
    }

    mutating func insert(_ message: [String: any Sendable]) {
        guard ids.insert(Self.id(message)).inserted else { return }
        messages.insert(message, at: index(after: Self.time(message)))
        if messages.count > messagesMax { ids.remove(Self.id(messages.removeFirst())) }
    }

    private func index(after time: Int64) -> Int {
        var low = 0
        var high = messages.count
        while low < high {
            let middle = (low + high) / 2
            if Self.time(messages[middle]) > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func message(of id: Int64) -> [String: any Sendable]? {
        messages.first { Self.id($0) == id }
    }
}
