/// A variable part of a line in a behaviour. In sent lines each slot has a fixed width, so that a
/// line is a template with fixed offsets.
package enum Slot: UInt8, Sendable, Hashable, CaseIterable {
    case name
    /// Name of the recipient.
    case to
    /// Name of the sender.
    case from
    /// Number of the room.
    case room
    case text
    /// A token unique to each use.
    case token
    /// Values that a standing rule captured.
    case capture0, capture1, capture2, capture3

    /// Maximum number of captures in a standing rule.
    static let capturesMax = 4

    static func capture(_ index: Int) -> Slot? { Slot(rawValue: capture0.rawValue + UInt8(index)) }

    /// Returns the slot for a variable of a behaviour.
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

/// Widths of slot values in bytes.
package struct SlotWidths: Sendable, Hashable {
    /// Width of names, which fit into the nine bytes that classic IRC allows.
    package static let name = 9
    /// Width of room numbers: eight digits.
    package static let room = 8
    package static let token = 9

    package var text: Int

    /// Returns the width of a slot in sent lines; nil if it varies.
    func width(_ slot: Slot) -> Int? {
        switch slot {
        case .name, .to, .from: Self.name
        case .room: Self.room
        case .text: text
        case .token: Self.token
        case .capture0, .capture1, .capture2, .capture3: nil
        }
    }

    /// Returns the bytes that represent a slot while a line is encoded. They include only bytes
    /// that no dialect escapes, and occur in no behaviour.
    func placeholder(_ slot: Slot) -> [UInt8] {
        if slot == .room { return Array("97531246".utf8) }
        let letter = UInt8(ascii: "a") + slot.rawValue
        let width = width(slot) ?? 12
        return Array("zq".utf8) + [letter] + [UInt8](repeating: letter, count: width - 5)
            + Array("qz".utf8)
    }
}
