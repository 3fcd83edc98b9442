import Diagnostics
import LineProtocol
package import Scenario

/// Compiles wire text in expectations. The text is split the way the dialect splits a line, but
/// placeholders are never split, except for line breaks that separate fields.
extension PatternCompiler {
    /// The text with a substitute byte for each placeholder, and the source position of each byte.
    private struct Draft {
        var bytes: [UInt8] = []
        var ranges: [SourceRange] = []
        var placeholders: [Placeholder] = []
        var substitute: UInt8
    }

    package mutating func wire(
        _ template: Template, _ payload: Template?, _ actor: Int?, _ context: CompileContext
    ) -> WirePattern? {
        guard let draft = draft(template, context) else { return nil }
        var split = SplitLine()
        splitter.split(draft.bytes.span, 0..<draft.bytes.count, into: &split)
        var nextPlaceholder = 0
        // Compile the parts in source order, so that each part gets its own placeholders.
        let tags = split.tags.map { tagPatterns($0, draft, &nextPlaceholder, actor, context) }
        let source = split.source.map {
            part($0, nil, draft, &nextPlaceholder, actor, context, template.range)
        }
        let verb =
            dialect.syntax.fromServer.verb == .none
            ? nil : part(split.verb, nil, draft, &nextPlaceholder, actor, context, template.range)
        var result = WirePattern(
            tags: tags, source: source, verb: verb, fields: [], tail: .nothing, payload: nil)
        if let verb, verb.endsWithRest { result.tail = .anything(capture: nil) }
        appendFields(split, draft, &nextPlaceholder, actor, context, template.range, &result)
        if let payload {
            let elements = payload.pieces.map { element($0, actor, context) }
            result.payload = BytesPattern(elements: elements, range: payload.range)
        }
        return result
    }

    private mutating func draft(_ template: Template, _ context: CompileContext) -> Draft? {
        guard let substitute = substitute(for: template) else {
            report(
                "scenario.pattern-too-mixed",
                "this pattern uses all 256 byte values and cannot be split into fields",
                context.source,
                template.range, help: "write the whole line as a quoted string")
            return nil
        }
        var draft = Draft(substitute: substitute)
        for piece in template.pieces {
            switch piece {
            case .literal(let literal):
                for (offset, byte) in literal.bytes.enumerated() {
                    draft.bytes.append(byte)
                    // Wire text has no escapes of its own, so its bytes are the same in the source
                    // and on the wire.
                    let start = min(literal.range.start + offset, literal.range.end)
                    draft.ranges.append(SourceRange(start: start, end: start + 1))
                }
            case .placeholder(let placeholder) where isSeparator(placeholder):
                guard case .bytes(let bytes, _) = placeholder.kind else { continue }
                draft.bytes += bytes
                draft.ranges += bytes.map { _ in placeholder.range }
            case .placeholder(let placeholder):
                draft.placeholders.append(placeholder)
                draft.bytes.append(substitute)
                draft.ranges.append(placeholder.range)
            }
        }
        return draft
    }

    /// Returns whether a placeholder contains only line breaks that separate fields. Wire text
    /// cannot contain them in any other form.
    private func isSeparator(_ placeholder: Placeholder) -> Bool {
        guard case .bytes(let bytes, count: 1) = placeholder.kind, !bytes.isEmpty else {
            return false
        }
        let separators = dialect.syntax.fromServer.separators
        return bytes.allSatisfy { ($0 == ASCII.lf || $0 == ASCII.cr) && separators.contains($0) }
    }

    /// Returns a byte that does not occur in the text and has no special meaning in the dialect;
    /// nil if there is none.
    private func substitute(for template: Template) -> UInt8? {
        var used = ByteSet(dialect.syntax.fromServer.separators)
        for piece in template.pieces {
            if case .literal(let literal) = piece {
                used = used.union(ByteSet(literal.bytes))
            }
        }
        let syntax = dialect.syntax.fromServer
        let special = [
            syntax.sourceMarker, syntax.trailingMarker, syntax.tags?.marker, syntax.tags?.separator,
            syntax.tags?.assignment, syntax.keyValue?.assignment, syntax.keyValue?.optionMarker,
            syntax.keyValue?.rowSeparator, dialect.escaping.fromServer.field.marker,
            dialect.escaping.fromServer.value.marker, ASCII.quote, ASCII.cr, ASCII.lf,
        ]
        used = used.union(ByteSet(special.compactMap(\.self)))
        return (UInt8.min...UInt8.max).reversed().first { !used.contains($0) }
    }

    private mutating func appendFields(
        _ split: SplitLine, _ draft: Draft, _ nextPlaceholder: inout Int, _ actor: Int?,
        _ context: CompileContext,
        _ range: SourceRange, _ result: inout WirePattern
    ) {
        let isVerbOnly = split.fields.isEmpty && !split.verb.isEmpty
        if isVerbOnly { result.tail = .anything(capture: nil) }
        for field in split.fields {
            if isPlaceholder(field, draft, nextPlaceholder, .end) {
                nextPlaceholder += 1
                result.tail = .nothing
                return
            }
            if let rest = restPlaceholder(field, draft, nextPlaceholder) {
                nextPlaceholder += 1
                result.tail = .anything(capture: rest.variable.map { context.scope.capture($0) })
                return
            }
            let rule = dialect.escaping.fromServer.rule(for: field, in: dialect.syntax.fromServer)
            let value = part(field.value, rule, draft, &nextPlaceholder, actor, context, range)
            let key = field.key.map { Array(draft.bytes[$0]) }
            if key?.contains(draft.substitute) == true {
                report(
                    "scenario.placeholder-in-key", "a key cannot be a placeholder", context.source,
                    range,
                    help: "write the key literally, or write the whole line as a quoted string")
                return
            }
            result.fields.append(
                WirePattern.FieldPattern(
                    key: key, isOption: field.form == .option, row: Int(field.row), value: value))
            if value.endsWithRest {
                result.tail = .anything(capture: nil)
                return
            }
        }
    }

    private func isPlaceholder(
        _ field: Field, _ draft: Draft, _ next: Int, _ kind: Placeholder.Kind
    ) -> Bool {
        field.range.count == 1 && draft.bytes[field.range.lowerBound] == draft.substitute
            && next < draft.placeholders.count && draft.placeholders[next].kind == kind
    }

    /// Returns the placeholder for the rest of the line if the field consists only of this
    /// placeholder; otherwise nil.
    private func restPlaceholder(_ field: Field, _ draft: Draft, _ next: Int) -> Placeholder? {
        guard field.range.count == 1, field.form == .plain,
            draft.bytes[field.range.lowerBound] == draft.substitute,
            next < draft.placeholders.count,
            case .rest = draft.placeholders[next].kind, dialect.syntax.fromServer.verb != .none
        else { return nil }
        return draft.placeholders[next]
    }

    /// Compiles part of the line. Escapes in its literals are decoded.
    private mutating func part(
        _ part: Range<Int>, _ rule: EscapeRule?, _ draft: Draft, _ nextPlaceholder: inout Int,
        _ actor: Int?, _ context: CompileContext, _ whole: SourceRange
    ) -> BytesPattern {
        var elements: [BytesPattern.Element] = []
        var literal: [UInt8] = []
        func flush() {
            guard !literal.isEmpty else { return }
            let decoded = rule.flatMap { try? $0.decode(literal) } ?? literal
            elements.append(.literal(decoded))
            literal = []
        }
        for index in part {
            if draft.bytes[index] == draft.substitute, nextPlaceholder < draft.placeholders.count {
                flush()
                elements.append(
                    element(.placeholder(draft.placeholders[nextPlaceholder]), actor, context))
                nextPlaceholder += 1
            } else {
                literal.append(draft.bytes[index])
            }
        }
        flush()
        let range =
            part.isEmpty
            ? whole : draft.ranges[part.lowerBound].joined(with: draft.ranges[part.upperBound - 1])
        return BytesPattern(elements: elements, range: range)
    }

    private mutating func tagPatterns(
        _ section: Range<Int>, _ draft: Draft, _ nextPlaceholder: inout Int, _ actor: Int?,
        _ context: CompileContext
    ) -> [WirePattern.TagPattern] {
        guard let syntax = dialect.syntax.fromServer.tags else { return [] }
        var result: [WirePattern.TagPattern] = []
        for tag in TagSection.tags(draft.bytes.span, section, syntax) {
            let value = part(
                tag.value, dialect.escaping.fromServer.tagValue, draft, &nextPlaceholder, actor,
                context,
                draft.ranges[tag.key.lowerBound])
            result.append(WirePattern.TagPattern(key: Array(draft.bytes[tag.key]), value: value))
        }
        return result
    }
}
