import LineProtocol

/// Which bytes mean something to the dialect in which place, so that inside a value they have to be
/// escaped or refused.
struct EscapingNeeds {
    enum Place {
        case field, trailing, tag, key, value
    }

    let separators: [UInt8]
    let hasQuotes: Bool
    private let terminators: ByteSet
    private let syntax: FieldSyntax

    init(_ framing: Framing, _ syntax: FieldSyntax) {
        self.syntax = syntax
        separators = syntax.separators
        hasQuotes = syntax.quotes
        let sides = [framing.fromClient, framing.fromServer]
        terminators =
            switch framing.unit {
            case .line: ByteSet(sides.flatMap { ($0.accepted + [$0.terminator]).flatMap(\.bytes) })
            case .lengthPrefix: []
            case .headerFrame: [ASCII.lf, ASCII.cr, ASCII.nul]
            }
    }

    /// The bytes that must not stand in a value as they are.
    func bytes(_ place: Place) -> ByteSet {
        var set = terminators
        guard syntax.verb != .none else { return set }
        let blanks = ByteSet(syntax.separators)
        switch place {
        case .trailing:
            return set
        case .field:
            set = set.union(blanks)
            if syntax.quotes { set.insert(ASCII.quote) }
            if let row = syntax.keyValue?.rowSeparator { set.insert(row) }
        case .tag:
            set = set.union(blanks)
            if let tags = syntax.tags { set.insert(tags.separator) }
        case .key, .value:
            set = set.union(blanks)
            if let row = syntax.keyValue?.rowSeparator { set.insert(row) }
            if place == .key, let keyValue = syntax.keyValue { set.insert(keyValue.assignment) }
        }
        return set
    }

    /// What a byte means to the dialect in a place, in words; nil if nothing.
    func meaning(of byte: UInt8, _ place: Place) -> String? {
        if terminators.contains(byte) { return "part of a terminator" }
        if syntax.separators.contains(byte) { return "the separator" }
        if byte == syntax.trailingMarker { return "the trailing field's marker" }
        if let keyValue = syntax.keyValue, place != .tag {
            if byte == keyValue.rowSeparator { return "the separator of rows" }
            if byte == keyValue.assignment { return "the assignment of `key=value`" }
            if byte == keyValue.optionMarker { return "the marker of options" }
        }
        if place == .tag, byte == syntax.tags?.separator { return "the separator of tags" }
        return nil
    }

    /// Why a byte cannot stand after the escape byte; nil if it can.
    func reasonAgainst(letter: UInt8, _ place: Place) -> String? {
        if terminators.contains(letter) { return "the line would end there" }
        guard place == .tag else { return nil }
        if letter == syntax.tags?.separator { return "the tag would end there" }
        if syntax.separators.contains(letter) { return "the tags would end there" }
        return nil
    }
}
