/// A variable part of a behaviour's line. In sent lines, each slot has a fixed width, so a line can
/// be a template with fixed offsets.
package enum Slot: UInt8, Sendable, Hashable, CaseIterable {
    case name
    /// Name of the recipient.
    case to
    /// Name of the sender.
    case from
    /// Number of the room.
    case room
    case text
    /// A token that differs for each use.
    case token
    /// Values captured by a standing rule.
    case capture0, capture1, capture2, capture3

    /// Maximum number of captures in a standing rule.
    static let capturesMax = 4

    static func capture(_ index: Int) -> Slot? { Slot(rawValue: capture0.rawValue + UInt8(index)) }

    /// Returns the slot for a behaviour's variable; nil if there is none.
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

/// Widths of slot values, in bytes.
package struct SlotWidths: Sendable, Hashable {
    /// Width of names: the maximum length in classic IRC.
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

    /// Returns the bytes that represent a slot while a line is encoded. No dialect escapes them,
    /// and no behaviour contains them.
    func placeholder(_ slot: Slot) -> [UInt8] {
        if slot == .room { return Array("97531246".utf8) }
        let letter = UInt8(ascii: "a") + slot.rawValue
        let width = width(slot) ?? 12
        return Array("zq".utf8) + [letter] + [UInt8](repeating: letter, count: width - 5)
            + Array("qz".utf8)
    }
}
