extension MessageEncoder {
    /// Appends the arguments that stand in order, up to the last one given.
    func appendFields(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        let fields = try fields(draft)
        for (index, field) in fields.enumerated() {
            if !line.isEmpty || index > 0 { line.append(separator) }
            try appendField(
                field.bytes, field.place, isLast: index == fields.count - 1, draft, to: &line)
        }
    }

    private typealias PlacedBytes = (bytes: [UInt8], place: Int)

    private func fields(_ draft: LineDraft) throws(EncodingError) -> [PlacedBytes] {
        var result: [PlacedBytes] = []
        var gap: Int?
        for (place, argument) in draft.signature.arguments.enumerated() where argument.isPositional
        {
            if argument.presence == .variadic {
                for bytes in try variadic(draft, place) { result.append((bytes, place)) }
                continue
            }
            guard let bytes = try draft.bytes(place) else {
                if argument.isRequired || argument.defaultValue != nil { gap = gap ?? place }
                continue
            }
            if let gap {
                throw EncodingError(
                    .gap, argument: draft.signature.arguments[gap].name, place: gap)
            }
            result.append((bytes, place))
        }
        return result
    }

    private func variadic(_ draft: LineDraft, _ place: Int) throws(EncodingError) -> [[UInt8]] {
        guard place < draft.values.count, case .list(let values) = draft.values[place] else {
            return []
        }
        let argument = draft.signature.arguments[place]
        var type = argument.type
        if case .list(let element, _) = type { type = element }
        var result: [[UInt8]] = []
        for value in values {
            guard let bytes = ValueConversion.bytes(value, type) else {
                throw EncodingError(
                    .wrongType(expected: type.name), argument: argument.name, place: place)
            }
            result.append(bytes)
        }
        return result
    }

    private func appendField(
        _ bytes: [UInt8], _ place: Int, isLast: Bool, _ draft: LineDraft, to line: inout [UInt8]
    ) throws(EncodingError) {
        if dialect.syntax.verb == .none {
            try escape(bytes, dialect.escaping.field, place, draft, to: &line)
            return
        }
        if let marker = dialect.syntax.trailingMarker, isLast, needsMarker(bytes, marker) {
            line.append(marker)
            try escape(bytes, dialect.escaping.trailing, place, draft, to: &line)
            return
        }
        try refuseUnreadable(bytes, place, draft)
        let rule = dialect.syntax.keyValue == nil ? dialect.escaping.field : dialect.escaping.value
        try escape(bytes, rule, place, draft, to: &line)
    }

    /// Whether the last field can only be written behind the trailing marker.
    private func needsMarker(_ bytes: [UInt8], _ marker: UInt8) -> Bool {
        guard let first = bytes.first else { return true }
        return first == marker || bytes.contains { dialect.syntax.separators.contains($0) }
    }

    /// Refuses what a reader would not take as this field: nothing between separators that run together,
    /// a marker at the start.
    private func refuseUnreadable(
        _ bytes: [UInt8], _ place: Int, _ draft: LineDraft
    ) throws(EncodingError) {
        var reason: EscapeError.Reason?
        if let first = bytes.first {
            if first == dialect.syntax.trailingMarker || isOptionMarker(first) {
                reason = .unrepresentable(first)
            }
            if let assignment = dialect.syntax.keyValue?.assignment, bytes.contains(assignment) {
                reason = .unrepresentable(assignment)
            }
        } else if dialect.syntax.separatorRuns || dialect.syntax.keyValue != nil {
            let quotes = dialect.escaping.field == .quotes
            reason = quotes ? nil : .emptyValue
        }
        guard let reason else { return }
        throw EncodingError(
            .escape(EscapeError(offset: 0, reason: reason)),
            argument: draft.signature.arguments[place].name, place: place)
    }

    private func isOptionMarker(_ byte: UInt8) -> Bool {
        dialect.syntax.keyValue?.optionMarker == byte
    }

    /// Appends `key=value` fields and options.
    func appendKeys(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        guard let syntax = dialect.syntax.keyValue else { return }
        for (place, argument) in draft.signature.arguments.enumerated() {
            switch argument.place {
            case .key(let key):
                guard let bytes = try draft.bytes(place) else { continue }
                if !line.isEmpty { line.append(separator) }
                try escape(key, dialect.escaping.key, place, draft, to: &line)
                line.append(syntax.assignment)
                try escape(bytes, dialect.escaping.value, place, draft, to: &line)
            case .option(let name):
                guard let marker = syntax.optionMarker, place < draft.values.count,
                    draft.values[place] == .bool(true)
                else { continue }
                if !line.isEmpty { line.append(separator) }
                line.append(marker)
                line.append(contentsOf: name)
            default:
                continue
            }
        }
    }
}
