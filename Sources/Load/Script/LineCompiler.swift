import DialectModel
import LineProtocol
import Scenario
import Session

/// A compiler that turns single lines of behaviours into send templates and rules.
struct LineCompiler {
    let dialect: Dialect
    let widths: SlotWidths
    /// Values given on the command line.
    var variables: [String: [UInt8]] = [:]

    // MARK: Sending

    /// Returns a template for a sent line, with a fixed-width slot for each placeholder.
    func template(_ message: StepMessage) throws -> SendTemplate {
        var bytes: [UInt8] = []
        switch message {
        case .wire(let template, let payload):
            let body = try payload.map { try spelled($0, payloadCount: 0) }
            let line = try spelled(template, payloadCount: body?.count ?? 0)
            try frame(line, body, to: &bytes)
        case .typed(let call):
            try encode(call, to: &bytes)
        case .raw(let segments):
            for segment in segments {
                guard case .bytes(let template) = segment else {
                    throw OperatorScriptError(
                        .unsuitableBehaviour, "a load test cannot send a line that contains a wait")
                }
                bytes += try spelled(template, payloadCount: 0)
            }
        }
        return SendTemplate(encoded: bytes, widths: widths)
    }

    private func spelled(_ template: Template, payloadCount: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): bytes += literal.bytes
            case .placeholder(let placeholder):
                bytes += try spelled(placeholder, payloadCount: payloadCount)
            }
        }
        return bytes
    }

    private func spelled(_ placeholder: Placeholder, payloadCount: Int) throws -> [UInt8] {
        switch placeholder.kind {
        case .bytes(let bytes, let count):
            return [[UInt8]](repeating: bytes, count: count).flatMap(\.self)
        case .length: return Array(String(payloadCount).utf8)
        default: break
        }
        if let slot = placeholder.variable.flatMap(Slot.init(variable:)) {
            return widths.placeholder(slot)
        }
        guard let variable = placeholder.variable, let value = variables[variable] else {
            let name = placeholder.variable ?? "…"
            throw OperatorScriptError(
                .unsuitableBehaviour, "{{\(name)}} has no value in a load test",
                help: "load tests set only name, to, from, room, text and token; set other "
                    + "variables with --var \(name)=…")
        }
        return value
    }

    private func frame(_ line: [UInt8], _ payload: [UInt8]?, to bytes: inout [UInt8]) throws {
        let syntax = dialect.syntax.fromClient
        let writer = FrameWriter(dialect, direction: .fromClient)
        let kind = writer.payloadKind(
            verb: VerbFinder(syntax).verb(of: line), direction: .fromClient,
            ignoringCase: syntax.ignoresVerbCase)
        do {
            try writer.append(line: line, payload: payload, kind: kind, to: &bytes)
        } catch {
            throw OperatorScriptError(
                .notEncodable, "a behaviour's line cannot be framed: \(error)")
        }
    }

    private func encode(_ call: TypedCall, to bytes: inout [UInt8]) throws {
        guard let command = dialect.commands.command(named: call.name.text, .fromClient) else {
            throw OperatorScriptError(
                .unsuitableBehaviour, "clients do not send the \(call.name.text) command")
        }
        let signature = dialect.commands.signatures[command]
        var values = [ArgumentValue](repeating: .absent, count: signature.arguments.count)
        for argument in call.arguments {
            guard
                let index = signature.arguments.firstIndex(where: {
                    $0.name == argument.name.text
                })
            else { continue }
            let spelling = try spelled(argument.value, signature.arguments[index].type)
            guard let value = ValueConversion.value(spelling, signature.arguments[index].type)
            else {
                throw OperatorScriptError(
                    .notEncodable,
                    "invalid value for the \(argument.name.text) argument of \(signature.name)")
            }
            values[index] = value
        }
        SendEncoding.fillTrailingGaps(&values, signature)
        do {
            try MessageEncoder(dialect, direction: .fromClient).append(command, values, to: &bytes)
        } catch {
            throw OperatorScriptError(
                .notEncodable, "\(signature.name) cannot be encoded: \(error)")
        }
    }

    private func spelled(_ value: Value, _ type: ArgumentType) throws -> [UInt8] {
        switch value.kind {
        case .string(let template): try spelled(template, payloadCount: 0)
        case .placeholder(let placeholder): try spelled(placeholder, payloadCount: 0)
        case .int(let number): Array(String(number).utf8)
        case .decimal(let text), .name(let text): Array(text.utf8)
        case .bool(let flag):
            ValueConversion.bytes(.bool(flag), type) ?? Array(String(flag).utf8)
        case .list, .unordered:
            throw OperatorScriptError(
                .unsuitableBehaviour, "a load test cannot send a list argument")
        }
    }

    /// Compiles the reply of a standing rule. Captured values may have any length.
    func reply(_ message: StepMessage, _ names: CaptureNames) throws -> ReplyTemplate {
        guard case .wire(let template, nil) = message, dialect.framing.unit == .line else {
            throw OperatorScriptError(
                .unsuitableBehaviour, "a standing reply in a load test must be a line of wire text")
        }
        var pieces: [ReplyTemplate.Piece] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): pieces.append(.literal(literal.bytes))
            case .placeholder(let placeholder):
                guard let variable = placeholder.variable, let slot = names.known(variable) else {
                    throw OperatorScriptError(
                        .unsuitableBehaviour,
                        "a standing reply uses {{\(placeholder.variable ?? "…")}}, but its pattern does not capture that variable"
                    )
                }
                pieces.append(.slot(slot))
            }
        }
        pieces.append(.literal(dialect.framing.fromClient.terminator.bytes))
        return ReplyTemplate(pieces: pieces)
    }

    // MARK: Display names

    func command(of message: StepMessage) -> String? {
        switch message {
        case .typed(let call): call.name.text
        case .wire(let template, _): firstWord(template, dialect.syntax.fromClient)
        case .raw: nil
        }
    }

    func command(of pattern: Pattern) -> String? {
        switch pattern {
        case .typed(let call): call.name.text
        case .wire(let template, _): firstWord(template, dialect.syntax.fromServer)
        case .raw: nil
        }
    }

    private func firstWord(_ template: Template, _ syntax: FieldSyntax) -> String? {
        if let json = syntax.json {
            let verb = (try? JSONTemplate(template))?.verb(json)
            return verb.map { String(decoding: $0, as: UTF8.self) }
        }
        guard case .literal(let literal) = template.pieces.first else { return nil }
        let word =
            if case .bytes = syntax.verb {
                VerbFinder(syntax).verb(of: literal.bytes)
            } else {
                Array(literal.bytes.prefix { !syntax.separators.contains($0) })
            }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }
}
