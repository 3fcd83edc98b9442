import LineProtocol

/// The bytes that have a special meaning in each part of a line. A value that contains such a byte
/// must be escaped or rejected.
struct SignificantBytes {
    /// Part of a line with its own set of significant bytes.
    enum Position {
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
            case .resp: []
            case .headerFrame: [ASCII.lf, ASCII.cr, ASCII.nul]
            }
    }

    /// Returns the bytes that a value in this position must not contain unescaped.
    func bytes(_ position: Position) -> ByteSet {
        var set = terminators
        guard syntax.verb != .none else { return set }
        let separators = ByteSet(syntax.separators)
        switch position {
        case .trailing:
            return set
        case .field:
            set = set.union(separators)
            if syntax.quotes { set.insert(ASCII.quote) }
            if let row = syntax.keyValue?.rowSeparator { set.insert(row) }
        case .tag:
            set = set.union(separators)
            if let tags = syntax.tags { set.insert(tags.separator) }
        case .key, .value:
            set = set.union(separators)
            if let row = syntax.keyValue?.rowSeparator { set.insert(row) }
            if position == .key, let keyValue = syntax.keyValue { set.insert(keyValue.assignment) }
        }
        return set
    }

    /// Returns the meaning of a byte in this position; nil if it has no special meaning.
    func meaning(of byte: UInt8, _ position: Position) -> String? {
        if terminators.contains(byte) { return "part of a terminator" }
        if syntax.separators.contains(byte) { return "the separator" }
        if byte == syntax.trailingMarker { return "the trailing field's marker" }
        if let keyValue = syntax.keyValue, position != .tag {
            if byte == keyValue.rowSeparator { return "the row separator" }
            if byte == keyValue.assignment { return "the assignment byte of `key=value`" }
            if byte == keyValue.optionMarker { return "the option marker" }
        }
        if position == .tag, byte == syntax.tags?.separator { return "the tag separator" }
        return nil
    }

    /// Returns the reason a letter cannot follow the escape byte; nil if it can.
    func reasonAgainst(letter: UInt8, _ position: Position) -> String? {
        if terminators.contains(letter) { return "the line would end there" }
        guard position == .tag else { return nil }
        if letter == syntax.tags?.separator { return "the tag would end there" }
        if syntax.separators.contains(letter) { return "the tags would end there" }
        return nil
    }
}
