import Diagnostics
import LineProtocol
import Scenario

/// Compiles JSON wire text in expectations.
extension PatternCompiler {
    mutating func json(
        _ template: Template, _ syntax: JSONSyntax, _ actor: Int?, _ context: CompileContext
    ) -> LinePattern.Form? {
        if case .placeholder? = template.pieces.first, template.pieces.count == 1 {
            let elements = template.pieces.map { element($0, actor, context) }
            return .raw(
                BytesPattern(elements: elements, range: template.range), withTerminator: false)
        }
        let tree: JSONTemplate
        do throws(JSONTemplate.Fault) {
            tree = try JSONTemplate(template)
        } catch {
            report(
                "scenario.not-json", "invalid JSON: \(error.message)", context.source,
                error.range,
                help: "to compare raw bytes, write the line as a quoted string")
            return nil
        }
        let verb = tree.verb(syntax)
        // The range excludes the quotes, because it is shown as the command's name.
        let command = tree.command(syntax)
        let signature = verb.flatMap {
            dialect.commands.command($0.span, 0..<$0.count, .fromServer)
        }.map { dialect.commands.signatures[$0] }
        let tolerance = signature?.tolerance ?? dialect.tolerance
        return .json(
            JSONLinePattern(
                object: pattern(tree, actor, context), verb: verb,
                verbRange: command?.pieces?.first?.range ?? command?.range ?? template.range,
                isStrict: tolerance.tooMany == .reject))
    }

    private mutating func pattern(
        _ tree: JSONTemplate, _ actor: Int?, _ context: CompileContext
    ) -> JSONPattern {
        let kind: JSONPattern.Kind
        switch tree.kind {
        case .object(let members, let rest):
            var patterns: [JSONPattern.Member] = []
            for member in members {
                patterns.append(
                    .init(key: member.key, value: pattern(member.value, actor, context)))
            }
            kind = .object(patterns, isOpen: rest != nil)
        case .array(let elements, let rest):
            var patterns: [JSONPattern] = []
            for element in elements { patterns.append(pattern(element, actor, context)) }
            kind = .array(patterns, isOpen: rest != nil)
        case .string(let pieces): kind = .string(bytes(pieces, tree.range, actor, context))
        case .scalar(let text):
            kind = .scalar(JSONText.value(text).map { JSONText.canonical($0, in: text) } ?? text)
        case .placeholder(let placeholder):
            kind = .value(bytes([.placeholder(placeholder)], tree.range, actor, context))
        }
        return JSONPattern(kind: kind, range: tree.range)
    }

    private mutating func bytes(
        _ pieces: [Template.Piece], _ range: SourceRange, _ actor: Int?, _ context: CompileContext
    ) -> BytesPattern {
        var elements: [BytesPattern.Element] = []
        for piece in pieces { elements.append(element(piece, actor, context)) }
        return BytesPattern(elements: elements, range: range)
    }
}

/// A scan of JSON text that tracks whether the current position is inside a string.
struct JSONStringState {
    private(set) var isInString = false
    private var isEscaped = false

    mutating func read(_ bytes: [UInt8]) {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                isInString.toggle()
            }
        }
    }
}
