import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Compiles patterns into rules.
extension LineCompiler {
    func rule(_ pattern: Pattern, _ names: inout CaptureNames) throws -> LineRule {
        switch pattern {
        case .typed(let call): return try typed(call, &names)
        case .wire(let template, _): return try wire(template, &names)
        case .raw:
            throw OperatorScriptError(
                .unsuitableBehaviour, "a load test cannot expect a line written as raw bytes",
                help: "write the expectation as wire text or with a command's name")
        }
    }

    private func typed(_ call: TypedCall, _ names: inout CaptureNames) throws -> LineRule {
        let commandIndices = dialect.commands.signatures.indices.filter {
            let signature = dialect.commands.signatures[$0]
            return signature.name == call.name.text && signature.direction.allows(.fromServer)
        }
        guard let first = commandIndices.first else {
            throw OperatorScriptError(
                .unsuitableBehaviour, "servers do not send the \(call.name.text) command")
        }
        let signature = dialect.commands.signatures[first]
        var rule = LineRule(verb: .commands(commandIndices))
        for argument in call.arguments {
            guard
                let argumentIndex = signature.arguments.firstIndex(where: {
                    $0.name == argument.name.text
                })
            else { continue }
            let type = signature.arguments[argumentIndex].type
            rule.add(.argument(argumentIndex), try pieces(argument.value, type, &names))
        }
        rule.isOpen = true
        return rule
    }

    private func pieces(
        _ value: Value, _ type: ArgumentType, _ names: inout CaptureNames
    ) throws -> [LineRule.Piece] {
        switch value.kind {
        case .string(let template): template.pieces.map { piece($0, &names) }
        case .placeholder(let placeholder): [piece(.placeholder(placeholder), &names)]
        case .int(let number): [.literal(Array(String(number).utf8))]
        case .decimal(let text), .name(let text): [.literal(Array(text.utf8))]
        case .bool(let flag):
            [.literal(ValueConversion.bytes(.bool(flag), type) ?? Array(String(flag).utf8))]
        case .list, .unordered: [.anything]
        }
    }

    private func piece(_ piece: Template.Piece, _ names: inout CaptureNames) -> LineRule.Piece {
        switch piece {
        case .literal(let literal): return .literal(literal.bytes)
        case .placeholder(let placeholder):
            if case .bytes(let bytes, let count) = placeholder.kind {
                return .literal([[UInt8]](repeating: bytes, count: count).flatMap(\.self))
            }
            if let slot = placeholder.variable.flatMap({ names.slot($0) }) { return .slot(slot) }
            if case .regex(_, let expression) = placeholder.kind { return .matching(expression) }
            return .anything
        }
    }

    // MARK: Wire text

    /// Returns the bytes that represent a placeholder while a line is split. No dialect gives them
    /// a special meaning.
    private static func substitute(_ index: Int) -> [UInt8] {
        Array("zqh".utf8) + [UInt8(ascii: "a") + UInt8(truncatingIfNeeded: index)]
            + Array("qz".utf8)
    }

    private static let placeholdersMax = 26

    private func wire(_ template: Template, _ names: inout CaptureNames) throws -> LineRule {
        if let json = dialect.syntax.fromServer.json { return try wire(template, json, &names) }
        var bytes: [UInt8] = []
        var placeholders: [Placeholder] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): bytes += literal.bytes
            case .placeholder(let placeholder):
                guard placeholders.count < Self.placeholdersMax else {
                    throw OperatorScriptError(
                        .unsuitableBehaviour, "a pattern has too many placeholders")
                }
                bytes += Self.substitute(placeholders.count)
                placeholders.append(placeholder)
            }
        }
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromServer).split(
            bytes.span, 0..<bytes.count, into: &split)
        var rule = LineRule(verb: verb(Array(bytes[split.verb]), placeholders))
        rule.fieldCount = 0
        if split.fields.isEmpty { rule.isOpen = true }
        for field in split.fields {
            let parts = divided(Array(bytes[field.value]), placeholders)
            if case .placeholder(let placeholder) = parts.first, parts.count == 1,
                field.form == .plain
            {
                if case .rest = placeholder.kind {
                    rule.isOpen = true
                    break
                }
                if placeholder.kind == .end { break }
            }
            rule.add(.field((rule.fieldCount ?? 0)), parts.map { self.piece($0, &names) })
            rule.fieldCount = (rule.fieldCount ?? 0) + 1
        }
        return rule
    }

    /// Compiles JSON wire text. Only members that are command arguments are compared.
    private func wire(
        _ template: Template, _ json: JSONSyntax, _ names: inout CaptureNames
    ) throws -> LineRule {
        guard let tree = try? JSONTemplate(template), let verb = tree.verb(json),
            let command = dialect.commands.command(verb.span, 0..<verb.count, .fromServer)
        else {
            throw OperatorScriptError(
                .unsuitableBehaviour,
                "an expected line in a load test must be a JSON object with a command of the "
                    + "dialect"
            )
        }
        var rule = LineRule(verb: .commands([command]))
        for (index, argument) in dialect.commands.signatures[command].arguments.enumerated() {
            guard let pieces = tree.value(of: argument, json)?.pieces else { continue }
            rule.add(.argument(index), pieces.map { piece($0, &names) })
        }
        rule.isOpen = true
        return rule
    }

    private func verb(_ bytes: [UInt8], _ placeholders: [Placeholder]) -> LineRule.Verb {
        if dialect.syntax.fromServer.verb == .none { return .any }
        for (index, placeholder) in placeholders.enumerated() where bytes == Self.substitute(index)
        {
            if case .regex(_, let expression) = placeholder.kind { return .expression(expression) }
            return .any
        }
        let span = bytes.span
        if let command = dialect.commands.command(span, 0..<bytes.count, .fromServer),
            !dialect.commands.signatures[command].wire.isClass
        {
            return .commands([command])
        }
        return .literal(bytes)
    }

    private func divided(_ bytes: [UInt8], _ placeholders: [Placeholder]) -> [Template.Piece] {
        var pieces: [Template.Piece] = []
        var literal: [UInt8] = []
        var offset = 0
        let range = placeholders.first?.range
        func flush() {
            guard !literal.isEmpty, let range else { return }
            pieces.append(.literal(Template.Literal(literal, range: range)))
            literal = []
        }
        scan: while offset < bytes.count {
            for (index, placeholder) in placeholders.enumerated() {
                let substitute = Self.substitute(index)
                if bytes[offset...].starts(with: substitute) {
                    flush()
                    pieces.append(.placeholder(placeholder))
                    offset += substitute.count
                    continue scan
                }
            }
            literal.append(bytes[offset])
            offset += 1
        }
        if !literal.isEmpty {
            pieces.append(
                .literal(
                    Template.Literal(
                        literal, range: range ?? .init(start: 0, end: 0))))
        }
        return pieces
    }
}
