import Diagnostics
import LineProtocol

/// Checks of one command whose arguments have been read.
struct CommandChecks {
    private let command: ReadCommand
    private let syntax: FieldSyntax
    private let framing: Framing
    private let problems: Problems

    init(
        _ command: ReadCommand, _ syntax: FieldSyntax, _ framing: Framing, _ problems: Problems
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
        checkLists()
        checkVerbless()
    }

    private var name: String { command.signature.name }

    private func checkNames() {
        // There are few, so that looking through them costs less than a table.
        for (place, argument) in command.arguments.enumerated() {
            let argumentName = argument.signature.name
            let earlier = command.arguments[..<place].last { $0.signature.name == argumentName }
            guard let earlier else { continue }
            problems.error(
                .duplicateKey, "`\(name)` has two arguments `\(argumentName)`",
                at: argument.setting.key, first: earlier.setting.key)
        }
    }

    /// After an argument that takes all the rest, only required fields can stand: the last ones.
    private func checkOrder() {
        var variadic: ReadArgument?
        for argument in command.arguments where argument.signature.place.isInOrder {
            if let earlier = variadic, !argument.signature.isRequired {
                let kind = argument.signature.presence == .variadic ? "another `...`" : "optional"
                problems.error(
                    .argumentOrder,
                    "`\(argument.signature.name)` is \(kind) after `\(earlier.signature.name)`, which takes all fields",
                    at: argument.setting.key,
                    help: "only required arguments can follow `...`",
                    first: earlier.setting.key)
            }
            if argument.signature.presence == .variadic { variadic = argument }
        }
    }

    private func checkClassVerb() {
        let verbs = command.arguments.filter { $0.signature.place == .verb }
        switch command.signature.wire {
        case .digits, .prefix:
            guard verbs.count != 1 else { return }
            problems.error(
                .classVerb, "`\(name)` is a class of commands: one argument takes which it is",
                at: command.wireRange, help: "add to its arguments: `code: text in verb`")
        case .exact, .none:
            guard let verb = verbs.first else { return }
            problems.error(
                .classVerb, "`\(name)` is one command: there is nothing for `in verb` to take",
                at: verb.setting.key, help: "`digits: 3` or `prefix: …` make a class of it")
        }
    }

    private func checkPayload() {
        let payloads = command.arguments.filter { $0.signature.place == .payload }
        let lengths = command.arguments.filter { $0.signature.place == .payloadLength }
        if payloads.count > 1 {
            problems.error(
                .payloadLength, "`\(name)` has two payloads", at: payloads[1].setting.key,
                first: payloads[0].setting.key)
        }
        if case .headerFrame = framing.unit { return }
        if let payload = payloads.first, !payload.isBlock, lengths.isEmpty {
            problems.error(
                .payloadLength, "nothing says how long the payload of `\(name)` is",
                at: payload.setting.key,
                help: "add `size: int in payload-length`, or let it end with a dot: `in block`")
        }
        if let length = lengths.first, payloads.first?.isBlock ?? true {
            problems.error(
                .payloadLength, "`\(name)` has a length but no payload that it counts",
                at: length.setting.key, help: "add `body: bytes in payload`")
        }
        if let length = lengths.first, command.lengthField == nil {
            problems.error(
                .payloadLength,
                "the place of `\(length.signature.name)` is not fixed: optional arguments stand before it",
                at: length.setting.key, help: "make it the last field, or the ones before required")
        }
        if !payloads.isEmpty, case .exact = command.signature.wire { return }
        if let payload = payloads.first {
            problems.error(
                .payloadLength, "only a command with a wire name of its own has a payload",
                at: payload.setting.key)
        }
    }

    /// A list whose separator ends the field would fall apart.
    private func checkLists() {
        let fields = command.arguments.filter { $0.signature.place.isInOrder }
        for argument in command.arguments {
            guard case .list(_, let separator) = argument.signature.type,
                syntax.separators.contains(separator), syntax.verb != .none
            else { continue }
            let isLast = argument.setting.key == fields.last?.setting.key
            let isTrailing = isLast && syntax.trailingMarker != nil
            let isOutside = argument.signature.place == .payload
            guard !isTrailing, !isOutside, argument.signature.presence != .variadic else {
                continue
            }
            problems.error(
                .listSeparator,
                "the list is separated by \(ByteName.shown(separator)), as the fields are",
                at: argument.setting.value.range,
                help: "take each as a field: `\(argument.signature.name): text...`")
        }
    }

    private func checkVerbless() {
        guard command.signature.wire == .none, syntax.verb == .first else { return }
        problems.error(
            .badWire, "lines of this dialect start with a command", at: command.wireRange,
            help:
                "for lines without one say `fields.verb: none` or `fields.verb: first-unless-key-value`"
        )
    }
}

extension ArgumentSignature.Place {
    /// Whether the argument takes its turn among the fields.
    var isInOrder: Bool {
        switch self {
        case .field, .payloadLength, .correlation: true
        default: false
        }
    }
}

extension ReadCommand {
    /// Which field counts the payload; nil if its place is not fixed, or there is none.
    var lengthField: Framing.LengthField? {
        let ordered = signature.arguments.filter { $0.place.isInOrder }
        guard let index = ordered.firstIndex(where: { $0.place == .payloadLength }) else {
            return nil
        }
        if index == ordered.count - 1 { return .last }
        return ordered[..<index].allSatisfy(\.isRequired) ? .at(index) : nil
    }
}
