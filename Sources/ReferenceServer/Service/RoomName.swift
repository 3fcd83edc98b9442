package import ChatModel

/// A room name: a number or a word, depending on the protocol.
package enum RoomName: Sendable, ExpressibleByIntegerLiteral {
    case number(Int64)
    /// A word. `key` is the same for all names that the name rules treat as equal.
    case word([UInt8], key: NameKey)

    package init(integerLiteral value: Int64) { self = .number(value) }

    /// Creates a name from a word. Words that the rules treat as equal result in equal names.
    package init(_ word: [UInt8], _ rules: NameRules) {
        self = .word(word, key: rules.key(word) ?? .bytes(word))
    }

    /// Number of the room; 0 if its name is a word.
    package var number: Int64 {
        if case .number(let number) = self { number } else { 0 }
    }

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
