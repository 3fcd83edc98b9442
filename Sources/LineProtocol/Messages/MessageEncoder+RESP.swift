/// Encodes messages as RESP values.
extension MessageEncoder {
    /// Appends the value for a message, without the CR LF at its end.
    func appendRESP(_ draft: LineDraft, to line: inout [UInt8]) throws(EncodingError) {
        var verb: [UInt8] = []
        try appendVerb(draft, to: &verb)
        let fields = try fields(draft)
        if direction == .fromServer, let type = verb.first, RESPScan.isType(type) {
            try appendValue(verb, type, fields, draft, to: &line)
            return
        }
        appendCount(ASCII.asterisk, fields.count + 1, to: &line)
        line.append(contentsOf: [ASCII.cr, ASCII.lf])
        appendBulk(verb, to: &line)
        for field in fields {
            let isInt = draft.signature.arguments[field.argument].type == .int
            if direction == .fromServer, isInt {
                line.append(contentsOf: [ASCII.cr, ASCII.lf, ASCII.colon])
                line.append(contentsOf: field.bytes)
            } else {
                line.append(contentsOf: [ASCII.cr, ASCII.lf])
                appendBulk(field.bytes, to: &line)
            }
        }
    }

    /// Appends a value whose command is its type byte or, for a null, the whole value.
    private func appendValue(
        _ verb: [UInt8], _ type: UInt8, _ fields: [ArgumentBytes], _ draft: LineDraft,
        to line: inout [UInt8]
    ) throws(EncodingError) {
        guard verb.count == 1, let kind = RESPScan.Kind(type), type != UInt8(ascii: "_") else {
            line.append(contentsOf: verb)
            return
        }
        switch kind {
        case .line:
            line.append(type)
            guard let field = fields.first else { return }
            if let offset = field.bytes.firstIndex(where: { $0 == ASCII.cr || $0 == ASCII.lf }) {
                throw draft.unrepresentable(field.bytes[offset], at: offset, field.argument)
            }
            line.append(contentsOf: field.bytes)
        case .bulk:
            appendBulk(fields.first?.bytes ?? [], type: type, to: &line)
        case .aggregate, .attribute:
            try refuseMistakenElements(type, kind, fields, draft)
            appendCount(type, fields.count / kind.factor, to: &line)
            for field in fields {
                line.append(contentsOf: [ASCII.cr, ASCII.lf])
                appendBulk(field.bytes, to: &line)
            }
        }
    }

    /// Throws an error if a receiver would mistake the first element for a command, or if a map has
    /// a key without a value.
    private func refuseMistakenElements(
        _ type: UInt8, _ kind: RESPScan.Kind, _ fields: [ArgumentBytes], _ draft: LineDraft
    ) throws(EncodingError) {
        guard let first = fields.first else { return }
        if fields.count % kind.factor != 0 {
            throw draft.error(.wrongType(expected: "key-value pairs"), first.argument)
        }
        let name = first.bytes.span
        guard RESPDivider.mayName(type), RESPDivider.isName(0..<first.bytes.count, name),
            dialect.commands.command(name, 0..<first.bytes.count, direction) != nil
        else { return }
        throw draft.error(
            .wrongType(expected: "a value that is not a command"), first.argument)
    }

    private func appendBulk(
        _ bytes: [UInt8], type: UInt8 = UInt8(ascii: "$"), to line: inout [UInt8]
    ) {
        appendCount(type, bytes.count, to: &line)
        line.append(contentsOf: [ASCII.cr, ASCII.lf])
        line.append(contentsOf: bytes)
    }

    private func appendCount(_ type: UInt8, _ count: Int, to line: inout [UInt8]) {
        line.append(type)
        line.append(contentsOf: String(count).utf8)
    }
}
