import Diagnostics
package import LineProtocol
package import Scenario

/// Compiles messages to send.
extension PatternCompiler {
    package mutating func template(
        _ message: StepMessage, _ actor: Int?, _ context: CompileContext
    ) -> MessageTemplate? {
        switch message {
        case .wire(let template, let payload):
            guard let line = bytes(template, actor, context, verbatim: false) else { return nil }
            var payloadBytes: MessageTemplate.Bytes?
            var kind = FrameWriter.PayloadKind.none
            if let payload {
                payloadBytes = bytes(payload, actor, context, verbatim: true)
                kind = payloadKind(template)
                if kind == .none {
                    report(
                        "scenario.no-payload",
                        "the \(dialect.name) dialect declares no payload for this command",
                        context.source, payload.range,
                        help:
                            "in the dialect, add an `in payload` or `in block` argument"
                    )
                }
            }
            return MessageTemplate(
                form: .wire(line, payload: payloadBytes, kind: kind), range: message.range)
        case .raw(let segments):
            let compiled = segments.compactMap { segment -> MessageTemplate.Segment? in
                switch segment {
                case .bytes(let template):
                    bytes(template, actor, context, verbatim: true).map { .bytes($0) }
                case .wait(let time): .wait(time.nanoseconds)
                }
            }
            return MessageTemplate(form: .raw(compiled), range: message.range)
        case .typed(let call):
            return typed(call, actor, context)
        }
    }

    private func payloadKind(_ template: Template) -> FrameWriter.PayloadKind {
        // The headers say where the body of a frame ends.
        if case .headerFrame = dialect.framing.unit { return .counted(terminated: false) }
        guard case .literal(let literal) = template.pieces.first else { return .none }
        let syntax = dialect.syntax.fromClient
        return FrameWriter(dialect, direction: .fromClient).payloadKind(
            verb: VerbFinder(syntax).verb(of: literal.bytes), direction: .fromClient,
            ignoringCase: syntax.ignoresVerbCase)
    }

    /// Compiles bytes, resolving placeholders to variables. Reports an error and returns nil if a
    /// placeholder is not allowed here.
    ///
    /// - Parameter verbatim: true to insert the variable values unchanged, false to escape them as
    ///   fields.
    package mutating func bytes(
        _ template: Template, _ actor: Int?, _ context: CompileContext, verbatim: Bool
    ) -> MessageTemplate.Bytes? {
        var elements: [MessageTemplate.Bytes.Element] = []
        var json = JSONStringState()
        for piece in template.pieces {
            switch piece {
            case .literal(let literal):
                elements.append(.literal(literal.bytes))
                json.read(literal.bytes)
            case .placeholder(let placeholder):
                // In JSON, only values inside strings must be escaped.
                let verbatim = verbatim || dialect.syntax.fromClient.json != nil && !json.isInString
                guard let element = element(placeholder, actor, context, verbatim) else {
                    return nil
                }
                elements.append(element)
            }
        }
        return MessageTemplate.Bytes(elements: elements)
    }

    private mutating func element(
        _ placeholder: Placeholder, _ actor: Int?, _ context: CompileContext, _ verbatim: Bool
    ) -> MessageTemplate.Bytes.Element? {
        switch placeholder.kind {
        case .bytes(let bytes, let count):
            return .literal(Self.repeated(bytes, count))
        case .length:
            return .length
        case .environment(let name):
            return .environment(name)
        case .computed(let computation):
            return computed(computation, actor, context).map { .computed($0) }
        case .variable(let name), .typed(.some(let name), _):
            if name == "self", let itself = actor ?? context.itself {
                return .literal(Array(operators[itself].utf8))
            }
            guard let variable = context.scope.variable(name) else {
                reportUnbound(name, placeholder, context)
                return nil
            }
            if case .typed(_, let type) = placeholder.kind { return .checked(variable, type) }
            return verbatim ? .verbatim(variable) : .variable(variable)
        case .typed, .regex, .anything, .rest, .end:
            report(
                "scenario.pattern-in-send", "this placeholder is only valid in an expectation",
                context.source, placeholder.range,
                help: "a send may contain {{name}}, {{a + b}}, {{\"text\"}}, {{base64 \"text\"}}, "
                    + "{{length}} and {{env.NAME}}")
            return nil
        }
    }

    /// Compiles a computation; returns nil if a variable is unknown.
    mutating func computed(
        _ computation: Placeholder.Computation, _ actor: Int?, _ context: CompileContext
    ) -> ComputedBytes? {
        switch computation {
        case .base64(let template):
            return bytes(template, actor, context, verbatim: true).map { .base64($0) }
        case .sum(let terms):
            var compiled: [ComputedBytes.Term] = []
            for term in terms {
                switch term.operand {
                case .number(let number):
                    compiled.append(.init(isNegative: term.isNegative, operand: .number(number)))
                case .placeholder(let placeholder):
                    let name = placeholder.variable ?? ""
                    guard let variable = context.scope.variable(name) else {
                        reportUnbound(name, placeholder, context)
                        return nil
                    }
                    compiled.append(
                        .init(isNegative: term.isNegative, operand: .variable(variable)))
                }
            }
            return .sum(compiled)
        }
    }

    static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * count)
        for _ in 0..<count { result += bytes }
        return result
    }

    private mutating func reportUnbound(
        _ name: String, _ placeholder: Placeholder, _ context: CompileContext
    ) {
        let guess = didYouMean(name, among: context.scope.names)
        report(
            "scenario.unbound-variable", "`{{\(name)}}` is not defined at this point",
            context.source,
            placeholder.range,
            help: guess.map { "did you mean `{{\($0)}}`?" }
                ?? "capture it in an earlier expectation, set it in the header, "
                + "or pass --var \(name)=…")
    }

    // MARK: Typed messages

    private mutating func typed(
        _ call: TypedCall, _ actor: Int?, _ context: CompileContext
    ) -> MessageTemplate? {
        guard let command = command(call, .fromClient, context) else { return nil }
        let signature = dialect.commands.signatures[command]
        var arguments: [MessageTemplate.ArgumentTemplate] = []
        for argument in call.arguments {
            guard let index = argumentIndex(argument, signature, context),
                let value = value(
                    argument.value, signature.arguments[index].valueType, actor, context)
            else { continue }
            arguments.append(MessageTemplate.ArgumentTemplate(index: index, value: value))
        }
        checkEncoding(command, arguments, call, context)
        return MessageTemplate(
            form: .typed(command: command, name: call.name.text, arguments: arguments),
            range: call.range)
    }

    /// Encodes a message without placeholders at compile time, so that errors in it are reported
    /// before anything is sent. Messages that contain placeholders are skipped.
    private mutating func checkEncoding(
        _ command: Int, _ arguments: [MessageTemplate.ArgumentTemplate], _ call: TypedCall,
        _ context: CompileContext
    ) {
        let signature = dialect.commands.signatures[command]
        var values = [ArgumentValue](repeating: .absent, count: signature.arguments.count)
        for argument in arguments {
            guard case .constant(let value) = argument.value else { return }
            values[argument.index] = value
        }
        SendEncoding.fillTrailingGaps(&values, signature)
        var line: [UInt8] = []
        do {
            try MessageEncoder(dialect, direction: .fromClient).append(command, values, to: &line)
        } catch {
            let blamed = call.arguments.first { $0.name.text == error.argument }
            report(
                "scenario.unencodable", SendEncoding.explain(error, signature, dialect),
                context.source, blamed?.value.range ?? call.range,
                help: "to violate the protocol on purpose, send a quoted string")
        }
    }

    /// Returns the index of a command in the dialect's table. Reports an error and returns nil if
    /// there is no such command.
    package mutating func command(
        _ call: TypedCall, _ direction: Direction, _ context: CompileContext
    ) -> Int? {
        if let command = dialect.commands.command(named: call.name.text, direction) {
            return command
        }
        let known = dialect.commands.signatures.filter { $0.direction.allows(direction) }.map(
            \.name)
        let side = direction == .fromClient ? "clients send" : "servers send"
        let help: String
        if dialect.commands.command(named: call.name.text, direction.opposite) != nil {
            help = "only \(direction == .fromClient ? "servers" : "clients") send it"
        } else if let guess = didYouMean(call.name.text, among: known) {
            help = "did you mean `\(guess)`?"
        } else {
            help = "`linejudge dialect show \(dialect.name)` lists all commands"
        }
        report(
            "scenario.unknown-command",
            "the \(dialect.name) dialect has no command `\(call.name.text)` that \(side)",
            context.source, call.name.range, help: help)
        return nil
    }

    package mutating func argumentIndex(
        _ argument: Argument, _ signature: CommandSignature, _ context: CompileContext
    ) -> Int? {
        if let index = signature.arguments.firstIndex(where: { $0.name == argument.name.text }) {
            return index
        }
        let names = signature.arguments.map(\.name)
        report(
            "scenario.unknown-argument",
            "`\(signature.name)` has no argument `\(argument.name.text)`",
            context.source, argument.name.range,
            help: didYouMean(argument.name.text, among: names).map { "did you mean `\($0)`?" }
                ?? "its arguments are: \(names.joined(separator: ", "))")
        return nil
    }
}
