import Diagnostics

extension LineCursor {
    /// Parses a message up to a comment or the end of the line.
    mutating func message(of what: String = "a send") throws(Diagnosed) -> StepMessage {
        skipSpaces()
        if peek() == UInt8(ascii: "\"") { return .raw(try rawSegments()) }
        if let call = try typedCall(.send) {
            _ = try modifiers([], use: .send, of: "a typed command")
            return .typed(call)
        }
        guard let text = try wireText(.send) else {
            throw missingText("expected text to send")
        }
        let found = try modifiers([.payload], use: .send, of: what)
        if found.payload == nil { try refuseLength(in: text) }
        return .wire(text, payload: found.payload)
    }

    private func refuseLength(in text: Template) throws(Diagnosed) {
        guard let placeholder = text.placeholders.first(where: { $0.kind == .length }) else {
            return
        }
        throw Diagnosed(
            error(
                .lengthWithoutPayload, "`{{length}}` needs a payload",
                at: placeholder.range
            ).help("add two spaces and: payload \"…\""))
    }

    func missingText(_ message: String) -> Diagnosed {
        Diagnosed(
            error(.missingText, message, at: nextToken)
                .help("to send or expect an empty line, write {{\"\"}}"))
    }

    private mutating func rawSegments() throws(Diagnosed) -> [RawSegment] {
        var segments = [RawSegment.bytes(try string(.send))]
        while !isDone {
            skipSpaces()
            guard skip("|") else {
                let fault = unexpected("`|` or the end of the line").diagnostics
                throw Diagnosed(
                    fault.map {
                        $0.help(
                            "text that begins with a quote needs an empty placeholder in front: {{\"\"}}\"…"
                        )
                    })
            }
            skipSpaces()
            if peek() == UInt8(ascii: "\"") {
                segments.append(.bytes(try string(.send)))
            } else {
                segments.append(.wait(try duration()))
            }
        }
        return segments
    }

    /// Parses a pattern and its modifiers.
    mutating func pattern(
        _ allowed: [StepModifier], of what: String
    ) throws(Diagnosed) -> (pattern: Pattern, modifiers: Modifiers) {
        skipSpaces()
        if peek() == UInt8(ascii: "\"") {
            let text = try string(.pattern)
            let others = allowed.filter { $0 != .payload }
            return (.raw(text), try modifiers(others, use: .pattern, of: what))
        }
        if let call = try typedCall(.pattern) {
            let others = allowed.filter { $0 != .payload }
            return (.typed(call), try modifiers(others, use: .pattern, of: what))
        }
        guard let text = try wireText(.pattern) else {
            throw missingText("expected a pattern")
        }
        let found = try modifiers(allowed, use: .pattern, of: what)
        return (.wire(text, payload: found.payload), found)
    }
}
