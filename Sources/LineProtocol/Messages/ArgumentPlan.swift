/// What of the command table the decoder needs at each line, worked out once and without references, so that
/// nothing is counted or allocated for a line.
struct ArgumentPlan: Sendable {
    /// The steps of all commands, one for each argument.
    private(set) var steps: [Step] = []
    private(set) var commands: [Command] = []
    /// The argument's type, for each step.
    private(set) var types: [ArgumentType] = []
    /// The key or name that a step looks for, as it stands in lines.
    private(set) var names: [[UInt8]] = []
    private(set) var defaults: [Default] = []

    /// One command.
    struct Command: Sendable {
        var firstStep: Int
        var stepCount: Int
        /// Whether every argument is required and stands in order among the fields.
        var isPositional: Bool
        /// How many arguments stand in order and are required.
        var requiredCount = 0
        /// The last argument that stands in order, or -1.
        var lastPositional = -1
        var tooMany: Tolerance.TooMany
        /// Whether values are escaped.
        var isEscaped: Bool
    }

    /// One argument.
    struct Step: Sendable {
        var place: Place
        var conversion: Conversion
        var isRequired: Bool
        /// The place in `names`, or 0.
        var name = 0
        /// The place in `defaults`, or -1.
        var defaultValue = -1
    }

    /// Where an argument is found.
    enum Place: Sendable {
        case field, variadic, key, option, payload, source, tag, verb
    }

    /// How an argument is converted; `other` goes by its ``ArgumentType``.
    enum Conversion: Sendable {
        case int, text, bytes, json, xml, digit, other

        /// Whether any bytes are a value.
        var isText: Bool {
            switch self {
            case .text, .bytes, .json, .xml: true
            case .int, .digit, .other: false
            }
        }
    }

    /// What an argument is where it is left out.
    struct Default: Sendable {
        var bytes: [UInt8]
        var argument: DecodedArgument
    }

    init(_ dialect: Dialect) {
        for signature in dialect.commands.signatures { append(signature, dialect) }
    }

    private mutating func append(_ signature: CommandSignature, _ dialect: Dialect) {
        var isEscaped = true
        if case .exact(let verb) = signature.wire {
            isEscaped = !dialect.escaping.exemptVerbs.contains(verb)
        }
        var command = Command(
            firstStep: steps.count, stepCount: signature.arguments.count,
            isPositional: signature.arguments.allSatisfy {
                $0.isPositional && $0.isRequired && $0.presence != .variadic
            } && dialect.syntax.keyValue == nil,
            tooMany: (signature.tolerance ?? dialect.tolerance).tooMany, isEscaped: isEscaped)
        for (place, argument) in signature.arguments.enumerated() {
            if argument.isPositional {
                command.lastPositional = place
                if argument.isRequired { command.requiredCount += 1 }
            }
            append(argument, keyRule: isEscaped ? dialect.escaping.key : nil)
        }
        commands.append(command)
    }

    private mutating func append(_ argument: ArgumentSignature, keyRule: EscapeRule?) {
        var step = Step(
            place: Place(argument), conversion: Conversion(argument.elementType),
            isRequired: argument.isRequired, name: names.count)
        switch argument.place {
        case .key(let key):
            // Keys are looked for as they are written.
            let written = (try? keyRule?.encode(key)) ?? key
            names.append(written)
        case .tag(let key), .option(let key): names.append(key)
        default: step.name = 0
        }
        if let value = argument.defaultValue,
            let bytes = ValueConversion.bytes(value, argument.type),
            let decoded = ValueConversion.scalar(bytes.span, 0..<bytes.count, argument.type)
        {
            step.defaultValue = defaults.count
            defaults.append(Default(bytes: bytes, argument: decoded))
        }
        types.append(argument.elementType)
        steps.append(step)
    }
}

extension ArgumentPlan.Place {
    init(_ argument: ArgumentSignature) {
        self =
            switch argument.place {
            case .field, .payloadLength, .correlation:
                argument.presence == .variadic ? .variadic : .field
            case .key: .key
            case .option: .option
            case .payload: .payload
            case .source: .source
            case .tag: .tag
            case .verb: .verb
            }
    }
}

extension ArgumentPlan.Conversion {
    init(_ type: ArgumentType) {
        self =
            switch type {
            case .int: .int
            case .text: .text
            case .bytes: .bytes
            case .json: .json
            case .xml: .xml
            case .bool(.digits): .digit
            case .bool, .list, .choice, .decimal, .time: .other
            }
    }
}

extension ArgumentSignature {
    /// Whether the argument takes its turn among the fields.
    var isPositional: Bool {
        switch place {
        case .field, .payloadLength, .correlation: true
        default: false
        }
    }

    /// The type of one field: of a variadic argument that is a list, the type of its elements.
    var elementType: ArgumentType {
        if presence == .variadic, isPositional, case .list(let element, _) = type { return element }
        return type
    }
}
