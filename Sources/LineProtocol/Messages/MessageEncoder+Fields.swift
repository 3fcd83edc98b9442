extension MessageEncoder {
    /// Appends the positional arguments, up to the last one given.
    ///
    /// - Parameter start: offset of the command in `line`.
    func appendFields(
        _ draft: LineDraft, from start: Int, to line: inout [UInt8]
    ) throws(EncodingError) {
        let fields = try fields(draft)
        let fieldsMax = syntax.verb == .none ? 1 : max(1, syntax.fieldsMax)
        guard fields.count <= fieldsMax || syntax.keyValue != nil else {
            throw EncodingError(.tooManyFields(max: fieldsMax))
        }
        let takesSeparators =
            dialect.joinsRest(draft.signature, from: direction)
            && fields.count == draft.signature.arguments.count(where: \.isPositional)
        for (index, field) in fields.enumerated() {
            if index > 0 {
                line.append(separator)
            } else if separatesFirst(line, start) {
                line.append(try separatorAfterVerb(draft))
            }
            let position = Position(
                argument: field.argument, index: index, isLast: index == fields.count - 1,
                takesRest: index == fieldsMax - 1 && syntax.keyValue == nil,
                takesSeparators: takesSeparators && index == fields.count - 1)
            try appendField(field.bytes, position, draft, to: &line)
        }
        if fields.isEmpty, separatesFirst(line, start) {
            let byte = try separatorAfterVerb(draft)
            if byte != separator { line.append(byte) }
        }
    }

    /// Returns true if a separator precedes the first field. There is no separator if the line has
    /// no command or if commands have a fixed length.
    private func separatesFirst(_ line: [UInt8], _ start: Int) -> Bool {
        switch syntax.verb {
        case .first: true
        case .firstUnlessKeyValue: line.count > start
        case .none, .bytes: false
        }
    }

    private struct Position {
        /// The argument's index in the signature.
        var argument: Int
        /// The field's index in the line.
        var index: Int
        var isLast: Bool
        /// True if the field extends to the end of the line.
        var takesRest: Bool
        /// True if a receiver joins the fields after this one to it.
        var takesSeparators: Bool
    }

    typealias ArgumentBytes = (bytes: [UInt8], argument: Int)

    /// Returns the fields in order. Throws an error if a receiver would assign them to different
    /// arguments. A receiver assigns the fields in excess of the required ones to the optional
    /// arguments in order, and any remaining fields to a variadic argument.
    func fields(_ draft: LineDraft) throws(EncodingError) -> [ArgumentBytes] {
        var result: [ArgumentBytes] = []
        var missingRequired: Int?
        var missingOptional: Int?
        var hasOptional = false
        for (index, argument) in draft.signature.arguments.enumerated() where argument.isPositional
        {
            if argument.presence == .variadic {
                let elements = try draft.variadic(index)
                if let gap = missingOptional ?? missingRequired, !elements.isEmpty {
                    throw draft.error(.gap, gap)
                }
                result += elements.map { ($0, index) }
                hasOptional = hasOptional || !elements.isEmpty
                // A variadic argument leaves no fields for optional arguments after it.
                missingOptional = missingOptional ?? index
            } else if let bytes = try draft.bytes(index) {
                if let gap = missingRequired ?? (argument.isRequired ? nil : missingOptional) {
                    throw draft.error(.gap, gap)
                }
                hasOptional = hasOptional || !argument.isRequired
                result.append((bytes, index))
            } else if argument.isRequired {
                if hasOptional { throw draft.error(.gap, index) }
                missingRequired = missingRequired ?? index
            } else {
                missingOptional = missingOptional ?? index
            }
        }
        return result
    }

    private func appendField(
        _ bytes: [UInt8], _ position: Position, _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        if syntax.verb == .none {
            try escape(bytes, draft.escaping.field, position.argument, draft, to: &line)
            return
        }
        if let marker = syntax.trailingMarker, position.isLast, needsMarker(bytes, marker) {
            line.append(marker)
            try escape(bytes, draft.escaping.trailing, position.argument, draft, to: &line)
            return
        }
        try refuseUnreadableStart(bytes, position, draft)
        if position.takesRest {
            try escape(bytes, draft.escaping.trailing, position.argument, draft, to: &line)
            return
        }
        if position.takesSeparators {
            try refuseLostEnd(bytes, position, draft)
            try escape(
                bytes, draft.escaping.field.allowing(separators), position.argument, draft,
                to: &line)
            return
        }
        let rule = draft.escaping.argumentRule(in: syntax)
        try refuseSeparators(bytes, rule, position.argument, draft)
        try escape(bytes, rule, position.argument, draft, to: &line)
    }

    /// Returns true if the last field must start with the trailing marker.
    private func needsMarker(_ bytes: [UInt8], _ marker: UInt8) -> Bool {
        guard let first = bytes.first else { return true }
        return first == marker || bytes.contains(where: separators.contains)
    }

    /// Throws an error if a value contains a separator that `rule` does not escape.
    func refuseSeparators(
        _ bytes: [UInt8], _ rule: EscapeRule, _ index: Int, _ draft: LineDraft
    ) throws(EncodingError) {
        let row = syntax.keyValue?.rowSeparator
        let found = bytes.firstIndex {
            (separators.contains($0) || $0 == row) && !rule.respells($0)
        }
        if let found { throw draft.unrepresentable(bytes[found], at: found, index) }
    }

    /// Throws an error if the value ends with a separator that merges with the end of the line.
    private func refuseLostEnd(
        _ bytes: [UInt8], _ position: Position, _ draft: LineDraft
    ) throws(EncodingError) {
        guard syntax.separatorRuns, let last = bytes.last, separators.contains(last),
            !draft.escaping.field.respells(last)
        else { return }
        throw draft.unrepresentable(last, at: bytes.count - 1, position.argument)
    }

    /// Throws an error if a receiver would misread this field: the value is empty and cannot be
    /// recognised between its separators, it starts with a marker or with a separator that would
    /// merge with the one before it, or it would be parsed as a key and a value.
    private func refuseUnreadableStart(
        _ bytes: [UInt8], _ position: Position, _ draft: LineDraft
    ) throws(EncodingError) {
        // Quotes protect the start of the value.
        if draft.escaping.field == .quotes, syntax.quotes, !position.takesRest { return }
        guard let first = bytes.first else {
            let isDoubling = doubled != nil && position.index > 0 && !position.isLast
            // After a command of a fixed length, the line would have no fields.
            let isNothing =
                isVerbFixed && position.index == 0 && position.isLast
                && draft.signature.arguments[position.argument].isRequired
            if syntax.separatorRuns || syntax.keyValue != nil || isDoubling || isNothing {
                throw draft.error(
                    .escape(EscapeError(offset: 0, reason: .emptyValue)), position.argument)
            }
            return
        }
        let isMarker =
            first == syntax.trailingMarker || first == syntax.keyValue?.optionMarker
            || (syntax.quotes && first == ASCII.quote)
        let joins =
            separators.contains(first)
            && (first == doubled && position.index > 0
                || (position.takesRest || position.takesSeparators) && syntax.separatorRuns)
        if isMarker || joins { throw draft.unrepresentable(first, at: 0, position.argument) }
        guard let keyValue = syntax.keyValue else { return }
        if let index = bytes.firstIndex(of: keyValue.assignment),
            !draft.escaping.value.respells(keyValue.assignment)
        {
            throw draft.unrepresentable(keyValue.assignment, at: index, position.argument)
        }
    }

    private var isVerbFixed: Bool {
        if case .bytes = syntax.verb { true } else { false }
    }

    /// The separator that is escaped by doubling, or nil.
    private var doubled: UInt8? {
        guard case .doubling(let byte, _) = escaping.field, separators.contains(byte) else {
            return nil
        }
        return byte
    }

    func appendKeys(
        _ draft: LineDraft, from start: Int, to line: inout [UInt8]
    ) throws(EncodingError) {
        guard let keyValue = syntax.keyValue else { return }
        for (index, argument) in draft.signature.arguments.enumerated() {
            switch argument.position {
            case .key(let key):
                guard let bytes = try draft.bytes(index) else { continue }
                if line.count > start { line.append(separator) }
                try escape(key, draft.escaping.key, index, draft, to: &line)
                line.append(keyValue.assignment)
                try refuseSeparators(bytes, draft.escaping.value, index, draft)
                try escape(bytes, draft.escaping.value, index, draft, to: &line)
            case .option(let name):
                guard let marker = keyValue.optionMarker, index < draft.values.count,
                    draft.values[index] == .bool(true)
                else { continue }
                if line.count > start { line.append(separator) }
                line.append(marker)
                line.append(contentsOf: name)
            default:
                continue
            }
        }
    }
}

extension Dialect {
    /// Returns true if fields in excess are part of the command's last argument, so that this
    /// argument can contain separators.
    package func joinsRest(_ signature: CommandSignature, from sender: Direction) -> Bool {
        let syntax = syntax[sender]
        guard (signature.tolerance ?? tolerance).tooMany == .joinLast, syntax.keyValue == nil,
            !syntax.quotes, !syntax.resp, syntax.json == nil, syntax.verb != .none
        else { return false }
        if case .headerFrame = framing.unit { return false }
        let arguments = signature.arguments.filter(\.isPositional)
        return !arguments.isEmpty && arguments.allSatisfy { $0.presence != .variadic }
    }
}

extension EscapeRule {
    /// Returns the rule for a value that may contain unescaped separators.
    package func allowing(_ separators: ByteSet) -> EscapeRule {
        switch self {
        case .none(let forbidden):
            return .none(forbidden: forbidden.subtracting(separators))
        case .table(var table):
            table.forbidden = table.forbidden.subtracting(separators)
            return .table(table)
        case .doubling(let byte, let forbidden):
            return .doubling(byte, forbidden: forbidden.subtracting(separators))
        case .percent, .quotes, .json: return self
        }
    }

    /// Returns true if `byte` is escaped by this rule, so that it does not act as a separator.
    func respells(_ byte: UInt8) -> Bool {
        switch self {
        case .none: false
        case .table(let table): table.letter(for: byte) != nil
        case .percent(let encoded): encoded.contains(byte) || byte == ASCII.percent
        case .doubling(let doubled, _): byte == doubled
        case .quotes: true
        case .json: byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
        }
    }
}
