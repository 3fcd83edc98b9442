import DialectModel
import Diagnostics
import LineProtocol
package import RegularExpressions
import Scenario

/// A rewriter that replaces parts of a program's strings with variables.
package protocol ProgramRewriter {
    /// Splits a literal in a send or a pattern into constant parts and variables.
    ///
    /// - Parameter start: index of the first byte that may be replaced.
    mutating func parts(of literal: [UInt8], from start: Int) -> [RewrittenPart]
    /// Returns the variable that replaces a number, or nil to keep the number.
    mutating func variable(for number: Int64, in argument: ArgumentName) -> String?
    /// Returns the regular expression to use in place of `expression`.
    func expression(_ expression: RegularExpression) -> RegularExpression
}

/// Identifier of a command's argument.
package struct ArgumentName: Sendable, Hashable {
    package var command: String
    package var argument: String

    package init(command: String, argument: String) {
        self.command = command
        self.argument = argument
    }
}

/// A part of a rewritten literal.
package enum RewrittenPart: Sendable, Hashable {
    case literal([UInt8])
    case variable(String)
}

extension Program {
    /// Returns the rewritten program. It also has the variables that the rewriter returned.
    package func rewritten(by rewriter: inout some ProgramRewriter) -> Program {
        var rewriting = ProgramRewriting(self, rewriter)
        defer { rewriter = rewriting.rewriter }
        return rewriting.rewritten()
    }
}

private struct ProgramRewriting<Rewriter: ProgramRewriter> {
    private let program: Program
    private(set) var rewriter: Rewriter
    private var variables: [String]
    /// Indices of the variables that the rewriter added, by name.
    private var added: [String: Int] = [:]

    init(_ program: Program, _ rewriter: Rewriter) {
        self.program = program
        self.rewriter = rewriter
        variables = program.variables
    }

    mutating func rewritten() -> Program {
        let instructions = program.instructions.map { instruction in
            var copy = instruction
            copy.operation = operation(instruction.operation)
            return copy
        }
        let settings = program.settings.map {
            (variable: $0.variable, value: bytes($0.value), range: $0.range)
        }
        return Program(
            file: program.file, dialect: program.dialect, operators: program.operators,
            instructions: instructions, variables: variables, settings: settings,
            probe: program.probe, probeRefusal: program.probeRefusal, rejects: program.rejects,
            nameVariable: program.nameVariable, standing: program.standing,
            stepTimeout: program.stepTimeout, fileTimeout: program.fileTimeout,
            secrets: program.secrets)
    }

    private mutating func operation(_ operation: Operation) -> Operation {
        switch operation {
        case .send(let index, let message): .send(index, self.message(message))
        case .expect(let index, let mode, let pattern, let window):
            .expect(index, mode, self.pattern(pattern), window)
        case .anyOrder(let expectations):
            .anyOrder(
                expectations.map { expectation in
                    var copy = expectation
                    copy.pattern = pattern(expectation.pattern)
                    return copy
                })
        case .oneOf(let choices, let end):
            .oneOf(
                choices.map { choice in
                    guard case .line(let mode, let pattern) = choice.event else { return choice }
                    var copy = choice
                    copy.event = .line(mode, self.pattern(pattern))
                    return copy
                }, end: end)
        case .standing(let rule): .standing(self.rule(rule))
        case .bind(let bindings):
            .bind(bindings.map { (variable: $0.variable, value: bytes($0.value)) })
        case .beginEventually(let attempt, let end):
            .beginEventually(self.attempt(attempt), end: end)
        default: operation
        }
    }

    private mutating func rule(_ rule: StandingRule) -> StandingRule {
        var copy = rule
        copy.pattern = pattern(rule.pattern)
        copy.reply = rule.reply.map { message($0) }
        return copy
    }

    private mutating func attempt(_ attempt: Attempt) -> Attempt {
        guard case .nameFree(let name) = attempt.kind else { return attempt }
        var copy = attempt
        copy.kind = .nameFree(bytes(name))
        return copy
    }

    // MARK: Sends

    private mutating func message(_ message: MessageTemplate) -> MessageTemplate {
        var copy = message
        switch message.form {
        case .wire(let line, let payload, let kind):
            let hasVerb = program.dialect.syntax.fromClient.verb != .none
            copy.form = .wire(
                bytes(line, skipsCommand: hasVerb), payload: payload.map { bytes($0) }, kind: kind)
        case .typed(let command, let name, let arguments):
            let signature = program.dialect.commands.signatures[command]
            copy.form = .typed(
                command: command, name: name,
                arguments: arguments.map { argument in
                    var copy = argument
                    copy.value = value(
                        argument.value,
                        of: ArgumentName(
                            command: signature.name,
                            argument: signature.arguments[argument.index].name))
                    return copy
                })
        case .raw(let segments):
            copy.form = .raw(
                segments.map { segment in
                    if case .bytes(let part) = segment { .bytes(bytes(part)) } else { segment }
                })
        }
        return copy
    }

    private mutating func value(
        _ value: MessageTemplate.ValueTemplate, of argument: ArgumentName
    ) -> MessageTemplate.ValueTemplate {
        switch value {
        case .bytes(let part): return .bytes(bytes(part))
        case .list(let values):
            return .list(values.map { self.value($0, of: argument) })
        case .constant(.text(let text)), .constant(.bytes(let text)), .constant(.json(let text)),
            .constant(.xml(let text)):
            let parts = bytes(MessageTemplate.Bytes(elements: [.literal(text)]))
            if case .literal = parts.elements.first, parts.elements.count == 1 { return value }
            return parts.elements.isEmpty ? value : .bytes(parts)
        case .constant(.list(let values)):
            let rewritten = values.map { self.value(.constant($0), of: argument) }
            let isChanged = rewritten.contains { if case .constant = $0 { false } else { true } }
            return isChanged ? .list(rewritten) : value
        case .constant(.int(let number)):
            guard let name = rewriter.variable(for: number, in: argument) else { return value }
            return .bytes(MessageTemplate.Bytes(elements: [.verbatim(index(of: name))]))
        case .constant: return value
        }
    }

    private mutating func bytes(
        _ bytes: MessageTemplate.Bytes, skipsCommand: Bool = false
    ) -> MessageTemplate.Bytes {
        var result: [MessageTemplate.Bytes.Element] = []
        for (position, element) in bytes.elements.enumerated() {
            guard case .literal(let literal) = element else {
                result.append(element)
                continue
            }
            let skipped = skipsCommand && position == 0 ? commandEnd(literal) : 0
            for part in rewriter.parts(of: literal, from: skipped) {
                switch part {
                case .literal(let bytes): result.append(.literal(bytes))
                case .variable(let name): result.append(.verbatim(index(of: name)))
                }
            }
        }
        return MessageTemplate.Bytes(elements: result)
    }

    private func commandEnd(_ literal: [UInt8]) -> Int {
        let syntax = program.dialect.syntax.fromClient
        if case .bytes(let count) = syntax.verb { return min(count, literal.count) }
        return literal.firstIndex(where: syntax.separators.contains) ?? literal.count
    }

    // MARK: Expectations

    private mutating func pattern(_ pattern: LinePattern) -> LinePattern {
        var copy = pattern
        switch pattern.form {
        case .raw(let bytes, let withTerminator):
            copy.form = .raw(self.bytes(bytes), withTerminator: withTerminator)
        case .wire(var wire):
            wire.source = wire.source.map { bytes($0) }
            wire.payload = wire.payload.map { bytes($0) }
            for index in wire.fields.indices {
                wire.fields[index].value = bytes(wire.fields[index].value)
            }
            copy.form = .wire(wire)
        case .json(var json):
            json.object = json.object.mapBytes { bytes($0) }
            copy.form = .json(json)
        case .typed(var typed):
            for index in typed.arguments.indices {
                let argument = typed.arguments[index]
                typed.arguments[index].value = value(
                    argument.value,
                    of: ArgumentName(command: typed.name, argument: argument.name),
                    at: argument.range)
            }
            copy.form = .typed(typed)
        }
        return copy
    }

    private mutating func value(
        _ value: TypedPattern.ValuePattern, of argument: ArgumentName, at range: SourceRange
    ) -> TypedPattern.ValuePattern {
        switch value {
        case .bytes(let pattern): return .bytes(bytes(pattern))
        case .list(let values):
            return .list(values.map { self.value($0, of: argument, at: range) })
        case .unordered(let values):
            return .unordered(values.map { self.value($0, of: argument, at: range) })
        case .equals(.int(let number)):
            guard let name = rewriter.variable(for: number, in: argument) else { return value }
            return .bytes(BytesPattern(elements: [.variable(index(of: name))], range: range))
        case .equals: return value
        }
    }

    private mutating func bytes(_ pattern: BytesPattern) -> BytesPattern {
        var result: [BytesPattern.Element] = []
        for element in pattern.elements {
            switch element {
            case .literal(let literal):
                for part in rewriter.parts(of: literal, from: 0) {
                    switch part {
                    case .literal(let bytes): result.append(.literal(bytes))
                    case .variable(let name): result.append(.variable(index(of: name)))
                    }
                }
            case .placeholder(.regex(let expression), let capture):
                result.append(
                    .placeholder(.regex(rewriter.expression(expression)), capture: capture))
            case .variable, .computed, .placeholder, .rest: result.append(element)
            }
        }
        return BytesPattern(elements: result, range: pattern.range)
    }

    // MARK: Variables

    private mutating func index(of variable: String) -> Int {
        if let index = added[variable] { return index }
        added[variable] = variables.count
        variables.append(variable)
        return variables.count - 1
    }
}
