package import ChatModel

/// What a room is called: a number or a word, as the protocol has it.
package enum RoomName: Sendable, ExpressibleByIntegerLiteral {
    case number(Int64)
    /// `key` is equal for all spellings of the same name.
    case word([UInt8], key: NameKey)

    package init(integerLiteral value: Int64) { self = .number(value) }

    /// A word that is the same name in all spellings that the rules call equal.
    package init(_ word: [UInt8], _ rules: NameRules) {
        self = .word(word, key: rules.key(word) ?? .bytes(word))
    }

    /// The number; 0 for a word.
    package var number: Int64 {
        if case .number(let number) = self { number } else { 0 }
    }

    /// The name as text.
    package var bytes: [UInt8] {
        switch self {
        case .number(let number): Array(String(number).utf8)
        case .word(let bytes, _): bytes
        }
    }
}

extension RoomName: Hashable {
    package static func == (left: RoomName, right: RoomName) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.word(_, let left), .word(_, let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .word(_, let key): hasher.combine(key)
        }
    }
}
