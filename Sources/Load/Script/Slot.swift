/// What stands in a behaviour's line and differs from operator to operator or from message to message. In what
/// is sent, each has always the same number of bytes, so that a line is a template with fixed places.
package enum Slot: UInt8, Sendable, Hashable, CaseIterable {
    /// The operator's own name.
    case name
    /// The name of whom a text goes to.
    case to
    /// The name of whom a text comes from.
    case from
    /// The room's number.
    case room
    /// The generated text.
    case text
    /// A word that is new for each use.
    case token
    /// What a standing rule takes out of a line.
    case capture0, capture1, capture2, capture3

    /// The most captures of a standing rule.
    static let capturesMax = 4

    static func capture(_ index: Int) -> Slot? { Slot(rawValue: capture0.rawValue + UInt8(index)) }

    /// The slot that a behaviour's variable stands for.
    init?(variable: String) {
        switch variable {
        case "name", "self": self = .name
        case "to": self = .to
        case "from": self = .from
        case "room": self = .room
        case "text": self = .text
        case "token": self = .token
        default: return nil
        }
    }
}

/// How many bytes the values of slots have.
package struct SlotWidths: Sendable, Hashable {
    /// Names: short enough for the nine bytes that classic IRC allows.
    package static let name = 9
    /// Rooms are numbers of eight digits.
    package static let room = 8
    /// Tokens.
    package static let token = 9

    /// Generated texts.
    package var text: Int

    /// The width of a slot in what is sent; nil where it varies.
    func width(_ slot: Slot) -> Int? {
        switch slot {
        case .name, .to, .from: Self.name
        case .room: Self.room
        case .text: text
        case .token: Self.token
        case .capture0, .capture1, .capture2, .capture3: nil
        }
    }

    /// Bytes that stand for a slot while a line is encoded. They consist of what no dialect escapes, and
    /// occur in no behaviour.
    func placeholder(_ slot: Slot) -> [UInt8] {
        if slot == .room { return Array("97531246".utf8) }
        let letter = UInt8(ascii: "a") + slot.rawValue
        let width = width(slot) ?? 12
        return Array("zq".utf8) + [letter] + [UInt8](repeating: letter, count: width - 5)
            + Array("qz".utf8)
    }
}
