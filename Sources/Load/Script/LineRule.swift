import LineProtocol

/// A line that is looked out for: which command, and what stands in its arguments or fields.
///
/// All parts lie in flat arrays of plain values, because rules are held against every line that arrives.
struct LineRule: Sendable {
    /// What lines it takes.
    enum Verb: Sendable {
        /// Those of these places in the command table.
        case commands([Int])
        /// Those with this command, which the table does not know.
        case literal([UInt8])
        /// Those whose command matches this expression.
        case expression(String)
        /// All.
        case any
    }

    /// A part of a line.
    enum Part: Sendable, Equatable {
        case argument(Int)
        /// A field after the command, as it stands.
        case field(Int)
    }

    /// What a part is held against.
    struct Check: Sendable {
        var part: Part
        /// Places in ``elements``.
        var first: Int
        var count: Int
    }

    enum Element: Sendable, Equatable {
        /// A range of ``literals``.
        case literal(lower: Int, count: Int)
        /// Up to the next literal, or the end.
        case slot(Slot)
        case anything
        /// Up to the next literal, or the end, if that matches the n-th of ``expressions``.
        case matching(Int)
    }

    var verb = Verb.any
    var checks: [Check] = []
    var elements: [Element] = []
    var literals: [UInt8] = []
    var expressions: [String] = []
    /// How many fields the line has at least; exactly so many unless `isOpen`.
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

    /// Before it is laid flat.
    enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case slot(Slot)
        case anything
        /// What matches a regular expression.
        case matching(String)
    }
}

/// Where a rule has found the slots in a line.
struct SlotOffsets: Sendable {
    struct Place: Sendable {
        var part = LineRule.Part.field(0)
        /// Within the part.
        var lower = 0
        var upper = -1
    }

    private var places = [Place](repeating: Place(), count: Slot.allCases.count)

    mutating func clear() {
        for index in places.indices { places[index].upper = -1 }
    }

    mutating func set(_ slot: Slot, _ part: LineRule.Part, _ lower: Int, _ upper: Int) {
        places[Int(slot.rawValue)] = Place(part: part, lower: lower, upper: upper)
    }

    subscript(slot: Slot) -> Place? {
        let place = places[Int(slot.rawValue)]
        return place.upper < 0 ? nil : place
    }
}
