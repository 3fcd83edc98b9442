import Diagnostics
package import LineProtocol
package import Scenario

/// Values in typed commands and of parameters.
extension PatternCompiler {
    /// The bytes of a parameter's value.
    package mutating func bytes(_ value: Value, _ actor: Int?, _ context: CompileContext)
        -> MessageTemplate.Bytes?
    {
        switch value.kind {
        case .string(let template):
            return bytes(template, actor, context, verbatim: true)
        case .placeholder(let placeholder):
            let template = Template([.placeholder(placeholder)], range: placeholder.range)
            return bytes(template, actor, context, verbatim: true)
        case .int(let number): return literal(String(number))
        case .decimal(let text), .name(let text): return literal(text)
        case .bool(let flag): return literal(flag ? "true" : "false")
        case .list:
            report(
                "scenario.list-parameter", "a parameter cannot be a list", context.source,
                value.range
            )
            return nil
        }
    }

    private func literal(_ text: String) -> MessageTemplate.Bytes {
        MessageTemplate.Bytes(elements: [.literal(Array(text.utf8))])
    }

    /// What a typed command's argument is sent with.
    package mutating func value(
        _ value: Value, _ type: ArgumentType, _ actor: Int?, _ context: CompileContext
    ) -> MessageTemplate.ValueTemplate? {
        if case .list(let values) = value.kind {
            guard let element = type.element else {
                reportType(value, type, context)
                return nil
            }
            let templates = values.compactMap { self.value($0, element, actor, context) }
            let constants = templates.compactMap { template -> ArgumentValue? in
                if case .constant(let constant) = template { constant } else { nil }
            }
            return constants.count == values.count
                ? .constant(.list(constants)) : .list(templates)
        }
        if let bytes = holedBytes(value, actor, context) { return .bytes(bytes) }
        guard let constant = constant(value, type) else {
            if !hasHoles(value) { reportType(value, type, context) }
            return nil
        }
        return .constant(constant)
    }

    /// The bytes of a value with placeholders; nil if it has none, or they cannot be resolved.
    private mutating func holedBytes(
        _ value: Value, _ actor: Int?, _ context: CompileContext
    ) -> MessageTemplate.Bytes? {
        switch value.kind {
        case .placeholder: bytes(value, actor, context)
        case .string(let template) where template.constantBytes() == nil:
            bytes(template, actor, context, verbatim: true)
        default: nil
        }
    }

    private func hasHoles(_ value: Value) -> Bool {
        switch value.kind {
        case .placeholder: true
        case .string(let template): template.constantBytes() == nil
        default: false
        }
    }

    /// The value as the argument's type has it; nil if it is not of that type.
    package func constant(_ value: Value, _ type: ArgumentType) -> ArgumentValue? {
        switch value.kind {
        case .int(let number):
            type == .int
                ? .int(number) : ValueConversion.value(Array(String(number).utf8), type)
        case .bool(let flag):
            if case .bool = type { .bool(flag) } else { nil }
        case .decimal(let text), .name(let text):
            ValueConversion.value(Array(text.utf8), type)
        case .string(let template):
            template.constantBytes().flatMap { ValueConversion.value($0, type) }
        case .list, .placeholder: nil
        }
    }

    package mutating func reportType(
        _ value: Value, _ type: ArgumentType, _ context: CompileContext
    ) {
        report(
            "scenario.wrong-type", "this is no \(type.name)", context.source, value.range,
            label: "expected \(type.name)",
            help: "to send something that is no \(type.name), write the line as wire text")
    }
}

extension ArgumentType {
    /// What a list holds.
    var element: ArgumentType? {
        if case .list(let element, _) = self { element } else { nil }
    }
}

extension ArgumentSignature {
    /// The type of the value that a scenario gives: a variadic argument takes a list.
    var valueType: ArgumentType {
        if presence == .variadic, type.element == nil { return .list(of: type, separator: 0) }
        return type
    }
}

/// What sending needs of the encoder.
enum SendEncoding {
    /// Gives arguments that were left out before ones that were given their empty value, as the field
    /// syntax demands it.
    static func fillTrailingGaps(_ values: inout [ArgumentValue], _ signature: CommandSignature) {
        guard let last = values.lastIndex(where: { $0 != .absent }) else { return }
        for place in 0..<last where values[place] == .absent {
            let argument = signature.arguments[place]
            guard argument.place == .field, argument.presence == .required else { continue }
            values[place] = argument.defaultValue ?? zero(argument.type)
        }
    }

    private static func zero(_ type: ArgumentType) -> ArgumentValue {
        switch type {
        case .int, .decimal: .int(0)
        case .bool: .bool(false)
        case .text: .text([UInt8]())
        case .bytes: .bytes([])
        case .list: .list([])
        case .time: .time(0)
        case .choice: .choice(0)
        case .json: .json([])
        case .xml: .xml([])
        }
    }

    /// Why a message has no line, for people.
    static func explain(
        _ error: EncodingError, _ signature: CommandSignature, _ dialect: Dialect
    ) -> String {
        let argument =
            error.argument.map { "argument \($0) of \(signature.name)" } ?? signature.name
        switch error.reason {
        case .noSuchCommand: return "there is no such command"
        case .tooManyValues: return "\(signature.name) has fewer arguments"
        case .verbMissing: return "\(signature.name) needs its own name as an argument"
        case .wrongType(let expected): return "\(argument) must be \(expected)"
        case .verbInvalid: return "\(argument) is not a command of this kind"
        case .tooManyFields(let max):
            return "\(signature.name) has more than the \(max) fields of a line"
        case .gap: return "\(argument) is left out, but others follow it"
        case .framing(.containsTerminator(let offset)):
            return "byte \(offset) of the line would end it early"
        case .framing(.payloadCompletesTerminator):
            return "the payload's first byte would be taken for part of the line's end"
        case .framing(.bodyContainsNUL(let offset)):
            return "byte \(offset) of the body is NUL, and no header counts the body's bytes"
        case .framing(.tooLong(let length, let max)):
            return "the frame has \(length) bytes; the dialect's length field allows \(max)"
        case .escape(let escape):
            switch escape.reason {
            case .unrepresentable(let byte):
                return "\(argument) cannot carry \"\(escapedForDisplay([byte]))\" "
                    + "(byte \(escape.offset)): \(dialect.name) has no escape for it there"
            case .emptyValue: return "\(argument) cannot be empty in \(dialect.name)"
            case .unknownEscape, .loneEscape: return "\(argument) cannot be escaped"
            }
        }
    }
}
