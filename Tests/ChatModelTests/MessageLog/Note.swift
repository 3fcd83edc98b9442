import ChatModel

/// A message of the tests: what it says is its id.
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

/// Random numbers that come the same in every run.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
