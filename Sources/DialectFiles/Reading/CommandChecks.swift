import Diagnostics
import LineProtocol

/// Checks of a command in a dialect file that are run after its arguments have been read.
struct CommandChecks {
    private let command: ParsedCommand
    private let syntax: FieldSyntax
    private let framing: Framing
    private let problems: Problems

    init(
        _ command: ParsedCommand, _ syntax: FieldSyntax, _ framing: Framing, _ problems: Problems
    ) {
        self.command = command
        self.syntax = syntax
        self.framing = framing
        self.problems = problems
    }

    func run() {
        checkNames()
        checkOrder()
        checkClassVerb()
        checkPayload()
        checkBlockAfter()
        checkLineAfter()
        checkLists()
        checkVerbless()
        checkPaths()
    }

    private var name: String { command.signature.name }

    private func checkNames() {
        // There are few arguments, so a linear search is cheaper than a table.
        let names = command.arguments.map(\.signature.name)
        for (index, argument) in command.arguments.enumerated() {
            if let other = argument.signature.secretCondition?.argument, !names.contains(other) {
                problems.error(
                    .badArgument, "`\(name)` has no argument `\(shortened(other))`",
                    at: argument.setting.value.range,
                    help: didYouMean(other, among: names).map { "did you mean `\($0)`?" }
                        ?? "use the name of another argument")
            }
            let argumentName = argument.signature.name
            let earlier = command.arguments[..<index].last { $0.signature.name == argumentName }
            guard let earlier else { continue }
            problems.error(
                .duplicateKey, "`\(name)` has two arguments named `\(argumentName)`",
                at: argument.setting.key, first: earlier.setting.key)
        }
    }

    /// Reports arguments that must not follow a variadic argument. Only required fields may follow
    /// one, because such fields can be located by counting from the end of the line.
    private func checkOrder() {
        var variadic: ParsedArgument?
        for argument in command.arguments where argument.signature.position.isInOrder {
            if let earlier = variadic, !argument.signature.isRequired {
                let kind = argument.signature.presence == .variadic ? "variadic" : "optional"
                problems.error(
                    .argumentOrder,
                    "`\(argument.signature.name)` is \(kind) after `\(earlier.signature.name)`, which takes all remaining fields",
                    at: argument.setting.key,
                    help: "only required arguments may follow `...`",
                    first: earlier.setting.key)
            }
            if argument.signature.presence == .variadic { variadic = argument }
        }
    }

    private func checkClassVerb() {
        let verbs = command.arguments.filter { $0.signature.position == .verb }
        switch command.signature.wire {
        case .digits, .prefix:
            guard verbs.count != 1 else { return }
            problems.error(
                .classVerb,
                "`\(name)` matches several commands, so exactly one argument must hold the command",
                at: command.wireRange, help: "add an argument such as `code: text in verb`")
        case .exact, .none, .prompted:
            guard let verb = verbs.first else { return }
            problems.error(
                .classVerb, "`\(name)` is a single command, so `in verb` has no effect",
                at: verb.setting.key,
                help: "use `digits: 3` or `prefix: …` to match several commands")
        }
    }

    private func checkPayload() {
        let payloads = command.arguments.filter { $0.signature.position == .payload }
        let lengths = command.arguments.filter { $0.signature.position == .payloadLength }
        if payloads.count > 1 {
            problems.error(
                .payloadLength, "`\(name)` has two payloads", at: payloads[1].setting.key,
                first: payloads[0].setting.key)
        }
        if case .headerFrame = framing.unit { return }
        if command.lineAfter != nil { return }
        // The payload consists of the remaining lines of the answer, so it needs no length.
        if case .mark = framing.grouping, command.signature.direction == .server, lengths.isEmpty,
            payloads.allSatisfy({ !$0.isBlock })
        {
            return
        }
        if let payload = payloads.first, !payload.isBlock, lengths.isEmpty {
            problems.error(
                .payloadLength, "the payload length of `\(name)` is unknown",
                at: payload.setting.key,
                help:
                    "add `size: int in payload-length`, or use `in block` for a payload that ends at a line with only a dot"
            )
        }
        if let length = lengths.first, payloads.first?.isBlock ?? true {
            problems.error(
                .payloadLength, "`\(name)` has a payload length but no payload",
                at: length.setting.key, help: "add `body: bytes in payload`")
        }
        if let length = lengths.first, command.lengthField == nil {
            problems.error(
                .payloadLength,
                "the position of `\(length.signature.name)` varies, because optional arguments come before it",
                at: length.setting.key,
                help: "make it the last field, or make the arguments before it required")
        }
        if !payloads.isEmpty, case .exact = command.signature.wire { return }
        if command.blockAfter != nil, command.signature.wire == .none { return }
        if let payload = payloads.first {
            problems.error(
                .payloadLength, "only a command with a fixed wire name can have a payload",
                at: payload.setting.key)
        }
    }

    private func checkBlockAfter() {
        guard let setting = command.blockAfter else { return }
        guard command.arguments.contains(where: \.isBlock) else {
            problems.error(
                .payloadLength, "`\(name)` has `block-after` but no block", at: setting.key,
                help: "add an argument such as `body: bytes? in block`")
            return
        }
        let isWhole = command.signature.wire == .none
        switch command.signature.direction {
        case .client where !isWhole:
            problems.error(
                .conflict,
                "the block comes after an answer, so it is a separate message", at: setting.key,
                help: "declare it as a separate command with `verbless: true`")
        case .server where isWhole:
            problems.error(
                .conflict, "an answer must start with a line", at: command.wireRange,
                help: "give the command a wire name")
        case .both:
            problems.error(
                .conflict, "`block-after` requires that only one side sends the command",
                at: setting.key, help: "use `from: client` or `from: server`")
        case .client, .server: break
        }
    }

    private func checkLineAfter() {
        guard let setting = command.lineAfter else { return }
        if command.signature.direction != .client || framing.unit != .line || syntax.json != nil {
            problems.error(
                .conflict, "only clients send such a line, and only among lines of fields",
                at: setting.key, help: "use `from: client`")
        }
        let first = command.arguments.first?.signature
        if command.arguments.count != 1 || first?.type != .text || first?.isRequired != true {
            problems.error(
                .badArgument, "the line after a prompt is a single argument", at: setting.key,
                help: "write `arguments: [data: text]`")
        }
    }

    /// Reports lists whose separator would also end the field.
    private func checkLists() {
        let fields = command.arguments.filter { $0.signature.position.isInOrder }
        for argument in command.arguments {
            guard case .list(_, let separator) = argument.signature.type, syntax.json == nil,
                syntax.separators.contains(separator), syntax.verb != .none
            else { continue }
            let isLast = argument.setting.key == fields.last?.setting.key
            let isTrailing = isLast && syntax.trailingMarker != nil
            let isOutside = argument.signature.position == .payload
            guard !isTrailing, !isOutside, argument.signature.presence != .variadic else {
                continue
            }
            problems.error(
                .listSeparator,
                "the list and the fields use the same separator, \(ByteName.shown(separator))",
                at: argument.setting.value.range,
                help: "use one field per element: `\(argument.signature.name): text...`")
        }
    }

    /// Reports arguments in JSON objects that conflict: arguments with the same path, and arguments
    /// whose path leads into another argument.
    private func checkPaths() {
        guard let json = syntax.json else { return }
        for (index, argument) in command.arguments.enumerated() {
            guard let path = json.path(of: argument.signature)?.steps else { continue }
            if case .key(let verb) = json.form, verb.steps.starts(with: path) {
                problems.error(
                    .badPosition,
                    "`\(argument.signature.name)` would include the command name, because its path "
                        + "leads to an object that contains it",
                    at: argument.setting.key, help: "give it another path: `in key PATH`")
            }
            for earlier in command.arguments[..<index] {
                guard let other = json.path(of: earlier.signature)?.steps,
                    path.starts(with: other) || other.starts(with: path)
                else { continue }
                let same = path == other ? "have the same path" : "overlap"
                problems.error(
                    .badPosition,
                    "`\(earlier.signature.name)` and `\(argument.signature.name)` \(same)",
                    at: argument.setting.key, first: earlier.setting.key)
            }
        }
    }

    private func checkVerbless() {
        guard command.signature.wire == .none, syntax.verb == .first, syntax.json == nil,
            command.blockAfter == nil
        else { return }
        problems.error(
            .badWire, "all lines in this dialect start with a command", at: command.wireRange,
            help:
                "for lines without a command, set `fields.verb: none` or `fields.verb: first-unless-key-value`"
        )
    }
}

extension ArgumentSignature.Position {
    /// True if the argument is one of the fields that are assigned in order.
    var isInOrder: Bool {
        switch self {
        case .field, .payloadLength, .correlation: true
        default: false
        }
    }
}

extension ParsedCommand {
    /// The field with the payload length; nil if there is none or if its index varies.
    var lengthField: Framing.LengthField? {
        let ordered = signature.arguments.filter { $0.position.isInOrder }
        guard let index = ordered.firstIndex(where: { $0.position == .payloadLength }) else {
            return nil
        }
        if index == ordered.count - 1 { return .last }
        return ordered[..<index].allSatisfy(\.isRequired) ? .at(index) : nil
    }
}
