import Diagnostics
import LineProtocol
import Scenario

/// What is expected.
extension Compilation {
    mutating func pattern(
        _ pattern: Pattern, _ actor: Int?, _ place: Place
    ) -> LinePattern? {
        let form: LinePattern.Form?
        switch pattern {
        case .raw(let template):
            let elements = template.pieces.map { element($0, actor, place) }
            let bytes = BytesPattern(elements: elements, range: template.range)
            form = .raw(bytes, withTerminator: endsWithTerminator(bytes))
        case .wire(let template, let payload):
            form = wire(template, payload, actor, place).map { .wire($0) }
        case .typed(let call):
            form = typed(call, actor, place).map { .typed($0) }
        }
        guard let form else { return nil }
        let range = pattern.range
        let text = String(decoding: place.source.bytes(in: range), as: UTF8.self)
        return LinePattern(form: form, range: range, text: text)
    }

    private func endsWithTerminator(_ pattern: BytesPattern) -> Bool {
        guard case .literal(let bytes) = pattern.elements.last else { return false }
        return dialect.framing.fromServer.accepted.contains {
            bytes.suffix($0.count).elementsEqual($0.bytes)
        }
    }

    /// The element that a piece of a template is in a pattern.
    mutating func element(
        _ piece: Template.Piece, _ actor: Int?, _ place: Place
    ) -> BytesPattern.Element {
        guard case .hole(let hole) = piece else {
            if case .literal(let literal) = piece { return .literal(literal.bytes) }
            return .literal([])
        }
        switch hole.kind {
        case .variable(let name):
            if name == "self", let itself = actor ?? place.itself {
                return .literal(Array(operators[itself].utf8))
            }
            if let variable = place.scope.variable(name) { return .variable(variable) }
            return .hole(.any, capture: place.scope.capture(name))
        case .typed(let name, let type):
            return .hole(.typed(type), capture: name.map { place.scope.capture($0) })
        case .regex(let name, let expression):
            return .hole(.regex(expression), capture: name.map { place.scope.capture($0) })
        case .anything: return .hole(.any, capture: nil)
        case .rest(let name): return .rest(capture: name.map { place.scope.capture($0) })
        case .end: return .literal([])
        case .bytes(let bytes, let count): return .literal(Self.repeated(bytes, count))
        case .length: return .hole(.typed(.int), capture: nil)
        case .environment(let name):
            report(
                "scenario.environment-in-pattern",
                "{{env.\(name)}} can only be sent", place.source, hole.range,
                help: "give the value with --var and write {{\(name)}}")
            return .literal([])
        }
    }

    // MARK: Typed messages

    private mutating func typed(
        _ call: TypedCall, _ actor: Int?, _ place: Place
    ) -> TypedPattern? {
        guard let command = command(call, .fromServer, place) else { return nil }
        let signature = dialect.commands.signatures[command]
        var arguments: [TypedPattern.ArgumentPattern] = []
        for argument in call.arguments {
            guard let index = argumentIndex(argument, signature, place),
                let value = valuePattern(
                    argument.value, signature.arguments[index].valueType, actor, place)
            else { continue }
            arguments.append(
                TypedPattern.ArgumentPattern(
                    place: index, name: argument.name.text, range: argument.value.range,
                    value: value))
        }
        return TypedPattern(
            command: command, name: call.name.text, nameRange: call.name.range,
            arguments: arguments)
    }

    private mutating func valuePattern(
        _ value: Value, _ type: ArgumentType, _ actor: Int?, _ place: Place
    ) -> TypedPattern.ValuePattern? {
        switch value.kind {
        case .hole(let hole):
            let element = element(.hole(hole), actor, place)
            return .bytes(BytesPattern(elements: [element], range: hole.range))
        case .string(let template) where template.constantBytes() == nil || isText(type):
            let elements = template.pieces.map { element($0, actor, place) }
            return .bytes(BytesPattern(elements: elements, range: template.range))
        case .list(let values):
            guard let element = type.element else {
                reportType(value, type, place)
                return nil
            }
            return .list(values.compactMap { valuePattern($0, element, actor, place) })
        default:
            guard let constant = constant(value, type) else {
                reportType(value, type, place)
                return nil
            }
            return .equals(constant)
        }
    }

    private func isText(_ type: ArgumentType) -> Bool {
        switch type {
        case .text, .bytes, .json, .xml: true
        default: false
        }
    }
}
