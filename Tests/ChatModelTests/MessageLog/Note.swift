import ChatModel

/// A test message whose text is its id.
struct Note: LoggedMessage, Hashable, CustomStringConvertible {
    var id: Int
    var time: Int64
    var state = 0

    init(_ id: Int, at time: Int64, state: Int = 0) {
        self.id = id
        self.time = time
        self.state = state
    }

    var description: String { "\(id)@\(time)" }
}

extension MessageLog<Note> {
    var ids: [Int] { messages.map(\.id) }
}
