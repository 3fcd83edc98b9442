/// A dialect's command table in a flat form that lets the decoder work without allocation or
/// reference counting.
struct ArgumentPlan: Sendable {
    /// The steps of all commands. There is one step per argument.
    private(set) var steps: [Step] = []
    private(set) var commands: [Command] = []
    private(set) var types: [ArgumentType] = []
    /// The keys and names that steps search for, as written in lines.
    private(set) var names: [[UInt8]] = []
    private(set) var defaults: [Default] = []
    /// The paths of arguments in JSON objects.
    private(set) var paths: [JSONPath] = []

    /// Decoding plan for one command.
    struct Command: Sendable {
        var firstStep: Int
        var stepCount: Int
        /// True if every argument is a single required field.
        var isPositional: Bool
        var requiredCount = 0
        /// True if every argument is a required field, the optional source, or an optional tag.
        var isSimple = false
        /// Index of the last positional argument, or -1.
        var lastPositional = -1
        var tooMany: Tolerance.TooMany
        var isEscaped: Bool
    }

    /// Decoding step for one argument.
    struct Step: Sendable {
        var source: Source
        var conversion: Conversion
        var isRequired: Bool
        /// Index in `names` or, in JSON, in `paths`; 0 if unused.
        var name = 0
        /// Index in `defaults`; -1 if there is no default.
        var defaultValue = -1
        /// Number of consecutive arguments, starting with this one, that are absent if the line has
        /// no tags.
        var tagCount = 0
    }

    /// The part of the line that holds an argument.
    enum Source: Sendable {
        case field, variadic, key, option, payload, source, tag, verb
    }

    /// The conversion of an argument's bytes. For `other`, the ``ArgumentType`` determines the
    /// conversion.
    enum Conversion: Sendable {
        case int, text, bytes, json, xml, digit, other

        /// True if any sequence of bytes is valid.
        var isText: Bool {
            switch self {
            case .text, .bytes, .json, .xml: true
            case .int, .digit, .other: false
            }
        }
    }

    /// The value of an omitted argument.
    struct Default: Sendable {
        var bytes: [UInt8]
        var argument: DecodedArgument
    }

    init(_ dialect: Dialect, _ direction: Direction) {
        for signature in dialect.commands.signatures {
            append(
                signature, syntax: dialect.syntax[direction],
                escaping: dialect.escaping[direction], tolerance: dialect.tolerance)
        }
    }

    private mutating func append(
        _ signature: CommandSignature, syntax: FieldSyntax, escaping: Escaping,
        tolerance: Tolerance
    ) {
        var isEscaped = true
        if case .exact(let verb) = signature.wire {
            isEscaped = !escaping.exemptVerbs.contains(verb)
        }
        var command = Command(
            firstStep: steps.count, stepCount: signature.arguments.count,
            isPositional: signature.arguments.allSatisfy {
                $0.isPositional && $0.isRequired && $0.presence != .variadic
            } && syntax.keyValue == nil,
            tooMany: (signature.tolerance ?? tolerance).tooMany, isEscaped: isEscaped)
        for (index, argument) in signature.arguments.enumerated() {
            if argument.isPositional {
                command.lastPositional = index
                if argument.isRequired { command.requiredCount += 1 }
            }
            append(
                argument, keyRule: isEscaped ? escaping.key : nil, json: syntax.json)
        }
        countTags(in: command)
        command.isSimple =
            syntax.keyValue == nil
            && steps[command.firstStep...].allSatisfy { step in
                switch step.source {
                case .field: step.isRequired
                case .source: !step.isRequired && step.defaultValue < 0
                case .tag: step.tagCount > 0
                case .variadic, .key, .option, .payload, .verb: false
                }
            }
        commands.append(command)
    }

    /// Sets the `tagCount` of each step of a command.
    private mutating func countTags(in command: Command) {
        var count = 0
        for index in (command.firstStep..<steps.count).reversed() {
            let step = steps[index]
            let mayBeAbsent = step.source == .tag && !step.isRequired && step.defaultValue < 0
            count = mayBeAbsent ? count + 1 : 0
            steps[index].tagCount = count
        }
    }

    private mutating func append(
        _ argument: ArgumentSignature, keyRule: EscapeRule?, json: JSONSyntax?
    ) {
        var step = Step(
            source: Source(argument), conversion: Conversion(argument.elementType),
            isRequired: argument.isRequired, name: names.count)
        if let path = json?.path(of: argument) {
            step.source = .key
            step.name = paths.count
            paths.append(path)
        }
        switch argument.position {
        case _ where json != nil: break
        case .key(let key):
            // Keys are compared in escaped form.
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

extension ArgumentPlan.Source {
    init(_ argument: ArgumentSignature) {
        self =
            switch argument.position {
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
    /// True if the argument is one of the fields that are assigned in order.
    package var isPositional: Bool {
        switch position {
        case .field, .payloadLength, .correlation: true
        default: false
        }
    }

    /// The type of each field that the argument takes. A variadic argument is a list of this type.
    var elementType: ArgumentType {
        if presence == .variadic, isPositional, case .list(let element, _) = type { return element }
        return type
    }
}
