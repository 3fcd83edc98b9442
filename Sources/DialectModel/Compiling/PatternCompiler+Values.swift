import Diagnostics
package import LineProtocol
package import Scenario

/// Compiles values: the arguments of typed commands, and the parameters of fragments and
/// behaviours.
extension PatternCompiler {
    /// Compiles a parameter's value. Reports an error and returns nil for a list.
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
        case .list, .unordered:
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

    /// Compiles the value of an argument in a typed command. Reports an error and returns nil if it
    /// does not have the argument's type.
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
        if let bytes = bytesWithPlaceholders(value, actor, context) { return .bytes(bytes) }
        guard let constant = constant(value, type) else {
            if !hasPlaceholders(value) { reportType(value, type, context) }
            return nil
        }
        return .constant(constant)
    }

    /// Compiles a value that contains placeholders; returns nil if there are none or if they refer
    /// to unknown variables.
    private mutating func bytesWithPlaceholders(
        _ value: Value, _ actor: Int?, _ context: CompileContext
    ) -> MessageTemplate.Bytes? {
        switch value.kind {
        case .placeholder: bytes(value, actor, context)
        case .string(let template) where template.constantBytes() == nil:
            bytes(template, actor, context, verbatim: true)
        default: nil
        }
    }

    private func hasPlaceholders(_ value: Value) -> Bool {
        switch value.kind {
        case .placeholder: true
        case .string(let template): template.constantBytes() == nil
        default: false
        }
    }

    /// Converts a value to the type of an argument; returns nil if it does not fit.
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
        case .list, .unordered, .placeholder: nil
        }
    }

    package mutating func reportType(
        _ value: Value, _ type: ArgumentType, _ context: CompileContext
    ) {
        report(
            "scenario.wrong-type", "this is not a value of type \(type.name)", context.source,
            value.range,
            label: "expected type \(type.name)",
            help: "to send another type of value, write the line as wire text")
    }
}

extension ArgumentType {
    /// The element type of a list; nil for other types.
    var element: ArgumentType? {
        if case .list(let element, _) = self { element } else { nil }
    }
}

extension ArgumentSignature {
    /// The type that a value in a scenario must have. For a variadic argument, that is a list.
    var valueType: ArgumentType {
        if presence == .variadic, type.element == nil { return .list(of: type, separator: 0) }
        return type
    }
}

/// Functions for encoding the messages that a scenario or a load test sends.
package enum SendEncoding {
    /// Fills in the required fields that were omitted before the last given argument, using their
    /// default or an empty value.
    package static func fillTrailingGaps(
        _ values: inout [ArgumentValue], _ signature: CommandSignature
    ) {
        guard let last = values.lastIndex(where: { $0 != .absent }) else { return }
        for index in 0..<last where values[index] == .absent {
            let argument = signature.arguments[index]
            guard argument.position == .field, argument.presence == .required else { continue }
            values[index] = argument.defaultValue ?? zero(argument.type)
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

    /// Returns a description of why a message cannot be encoded.
    static func explain(
        _ error: EncodingError, _ signature: CommandSignature, _ dialect: Dialect
    ) -> String {
        let argument =
            error.argument.map { "argument `\($0)` of `\(signature.name)`" } ?? signature.name
        switch error.reason {
        case .noSuchCommand: return "unknown command"
        case .tooManyValues: return "too many arguments for `\(signature.name)`"
        case .verbMissing: return "`\(signature.name)` needs the command name as an argument"
        case .wrongType(let expected): return "\(argument) must be \(expected)"
        case .verbInvalid: return "\(argument) is not a wire name of this command"
        case .tooManyFields(let max):
            return "`\(signature.name)` exceeds the maximum of \(max) fields per line"
        case .gap: return "\(argument) is missing, but later arguments are given"
        case .framing(let error): return error.description
        case .escape(let escape):
            switch escape.reason {
            case .unrepresentable(let byte):
                return "\(argument) cannot contain \"\(escapedForDisplay([byte]))\" "
                    + "(byte \(escape.offset)): \(dialect.name) has no escape for it there"
            case .emptyValue: return "\(argument) cannot be empty in \(dialect.name)"
            case .notUTF8:
                return
                    "\(argument) contains invalid UTF-8 at byte \(escape.offset); JSON requires UTF-8"
            case .unknownEscape, .loneEscape, .loneSurrogate: return "\(argument) cannot be escaped"
            }
        }
    }
}
