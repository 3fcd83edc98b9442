import LineProtocol
import RegularExpressions

/// A pattern for received lines: the command, and checks on its arguments or fields.
///
/// Everything is stored in flat arrays of plain values, as rules are applied to every received
/// line.
struct LineRule: Sendable {
    /// The commands a rule matches.
    enum Verb: Sendable {
        /// The commands with these indices in the command table.
        case commands([Int])
        /// A command that is not in the table.
        case literal([UInt8])
        /// All commands that match a regular expression.
        case expression(RegularExpression)
        /// Any command.
        case any
    }

    /// The part of a line to check.
    enum Part: Sendable, Equatable {
        case argument(Int)
        /// A raw field after the command.
        case field(Int)
    }

    /// A rule's check of one part of a line.
    struct Check: Sendable {
        var part: Part
        /// Index in ``elements`` of the check's first element.
        var first: Int
        var count: Int
    }

    /// An element of a check's pattern.
    enum Element: Sendable, Equatable {
        /// Fixed text, given as a range of bytes in ``literals``.
        case literal(lower: Int, count: Int)
        /// A slot, which extends to the next literal or to the end.
        case slot(Slot)
        case anything
        /// Bytes matching the expression with this index in ``expressions``. They extend to the
        /// next literal or to the end.
        case matching(Int)
    }

    var verb = Verb.any
    var checks: [Check] = []
    var elements: [Element] = []
    var literals: [UInt8] = []
    var expressions: [RegularExpression] = []
    /// Minimum number of fields if `isOpen` is true, otherwise the exact number; nil for any
    /// number.
    var fieldCount: Int?
    var isOpen = false

    mutating func add(_ part: Part, _ pieces: [Piece]) {
        let first = elements.count
        for piece in pieces {
            switch piece {
            case .literal(let bytes):
                elements.append(.literal(lower: literals.count, count: bytes.count))
                literals += bytes
            case .slot(let slot): elements.append(.slot(slot))
            case .anything: elements.append(.anything)
            case .matching(let expression):
                elements.append(.matching(expressions.count))
                expressions.append(expression)
            }
        }
        checks.append(Check(part: part, first: first, count: elements.count - first))
    }

    /// An element of a check's pattern, before it is stored in the rule's flat arrays.
    enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case slot(Slot)
        case anything
        /// Bytes matching a regular expression.
        case matching(RegularExpression)
    }
}

/// Positions of the slots in a matched line.
struct SlotOffsets: Sendable {
    /// The position of a slot.
    struct SlotRange: Sendable {
        var part = LineRule.Part.field(0)
        /// Offset of the slot in its part.
        var lower = 0
        var upper = 0
    }

    private var ranges = [SlotRange](repeating: SlotRange(), count: Slot.allCases.count)
    /// The slots that were found, as bits.
    private var found: UInt32 = 0

    mutating func clear() { found = 0 }

    mutating func set(_ slot: Slot, _ part: LineRule.Part, _ lower: Int, _ upper: Int) {
        found |= 1 << UInt32(slot.rawValue)
        ranges[Int(slot.rawValue)] = SlotRange(part: part, lower: lower, upper: upper)
    }

    subscript(slot: Slot) -> SlotRange? {
        found & 1 << UInt32(slot.rawValue) == 0 ? nil : ranges[Int(slot.rawValue)]
    }
}
