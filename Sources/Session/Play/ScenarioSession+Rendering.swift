import Diagnostics
import LineProtocol
import Scenario

/// What goes out.
extension ScenarioSession {
    /// A piece of a send: bytes, or a wait.
    enum SendPart {
        case line([UInt8], terminatorCount: Int)
        /// Bytes that must not be divided any further.
        case whole([UInt8])
        case wait(Int64)
    }

    /// The bytes of a message with the values that the variables have now.
    mutating func render(
        _ template: MessageTemplate, _ index: Int
    ) -> Result<[SendPart], StepFailureError> {
        switch template.form {
        case .wire(let line, let payload, let kind):
            return renderWire(line, payload, kind, template.range)
        case .raw(let segments):
            var parts: [SendPart] = []
            for segment in segments {
                switch segment {
                case .wait(let time): parts.append(.wait(time))
                case .bytes(let bytes):
                    switch render(bytes, payloadCount: 0, template.range) {
                    case .success(let bytes): parts.append(.whole(bytes))
                    case .failure(let error): return .failure(error)
                    }
                }
            }
            return .success(parts)
        case .typed(let command, _, let arguments):
            return renderTyped(command, arguments, template.range)
        }
    }

    private mutating func renderWire(
        _ line: MessageTemplate.Bytes, _ payload: MessageTemplate.Bytes?,
        _ kind: FrameWriter.PayloadKind, _ range: SourceRange
    ) -> Result<[SendPart], StepFailureError> {
        var payloadBytes: [UInt8]?
        if let payload {
            switch render(payload, payloadCount: 0, range) {
            case .success(let bytes): payloadBytes = bytes
            case .failure(let error): return .failure(error)
            }
        }
        return render(line, payloadCount: payloadBytes?.count ?? 0, range).flatMap { bytes in
            frame(bytes, payloadBytes, kind, range)
        }
    }

    /// Wire text is sent as it is, whatever it holds; only its frame is the dialect's.
    private func frame(
        _ line: [UInt8], _ payload: [UInt8]?, _ kind: FrameWriter.PayloadKind, _ range: SourceRange
    ) -> Result<[SendPart], StepFailureError> {
        let terminator = program.dialect.framing.fromClient.terminator
        if program.dialect.framing.unit == .line, !program.dialect.framing.telnet {
            var bytes = line + terminator.bytes
            switch kind {
            case .none: break
            case .counted(let terminated):
                bytes += payload ?? []
                if terminated { bytes += terminator.bytes }
            case .block:
                DotStuffing.append(
                    payload ?? [], side: program.dialect.framing.fromClient, to: &bytes)
            }
            return .success([.line(bytes, terminatorCount: terminator.count)])
        }
        var bytes: [UInt8] = []
        do {
            let writer = FrameWriter(program.dialect, direction: .fromClient)
            try writer.append(line: line, payload: payload, kind: kind, to: &bytes)
            return .success([.line(bytes, terminatorCount: terminator.count)])
        } catch {
            return .failure(
                StepFailureError(
                    StepFailure(
                        code: "run.unframable", message: "the line cannot be framed: \(error)",
                        range: range)))
        }
    }

    /// The bytes of a parameter's value.
    func render(
        value bytes: MessageTemplate.Bytes, _ range: SourceRange
    ) -> Result<[UInt8], StepFailureError> {
        render(bytes, payloadCount: 0, range)
    }

    private func render(
        _ bytes: MessageTemplate.Bytes, payloadCount: Int, _ range: SourceRange
    ) -> Result<[UInt8], StepFailureError> {
        var result: [UInt8] = []
        for element in bytes.elements {
            switch element {
            case .literal(let literal): result += literal
            case .length: result += Array(String(payloadCount).utf8)
            case .loginName(let index): result += operators[index].loginName
            case .environment(let name):
                guard let value = options.environment[name] else {
                    return .failure(missing("the environment variable \(name)", range))
                }
                result += Array(value.utf8)
            case .verbatim(let variable), .variable(let variable), .checked(let variable, _):
                guard let value = context.variables[variable] else {
                    return .failure(missing("{{\(program.variables[variable])}}", range))
                }
                if case .checked(_, let type) = element,
                    !BytesPattern.isOf(type, value, context.bools)
                {
                    return .failure(
                        StepFailureError(
                            StepFailure(
                                code: "run.wrong-type",
                                message: "\"\(escapedForDisplay(value))\" is no \(type.rawValue)",
                                range: range)))
                }
                if case .variable = element {
                    // A captured value is decoded; on the wire it is spelled again.
                    result += (try? program.dialect.escaping.field.encode(value)) ?? value
                } else {
                    result += value
                }
            }
        }
        return .success(result)
    }

    private func missing(_ what: String, _ range: SourceRange) -> StepFailureError {
        StepFailureError(
            StepFailure(
                code: "run.no-value", message: "\(what) has no value when this is sent",
                range: range))
    }

    private func renderTyped(
        _ command: Int, _ arguments: [MessageTemplate.ArgumentTemplate], _ range: SourceRange
    ) -> Result<[SendPart], StepFailureError> {
        let signature = program.dialect.commands.signatures[command]
        var values = [ArgumentValue](repeating: .absent, count: signature.arguments.count)
        for argument in arguments {
            let type = signature.arguments[argument.place].valueType
            switch value(argument.value, type, range) {
            case .success(let value): values[argument.place] = value
            case .failure(let error): return .failure(error)
            }
        }
        SendEncoding.fillTrailingGaps(&values, signature)
        var line: [UInt8] = []
        do {
            try MessageEncoder(program.dialect, direction: .fromClient)
                .append(command, values, to: &line)
        } catch {
            let message = SendEncoding.explain(error, signature, program.dialect)
            return .failure(
                StepFailureError(
                    StepFailure(code: "run.unencodable", message: message, range: range)))
        }
        let count = program.dialect.framing.fromClient.terminator.count
        return .success([.line(line, terminatorCount: count)])
    }

    private func value(
        _ template: MessageTemplate.ValueTemplate, _ type: ArgumentType, _ range: SourceRange
    ) -> Result<ArgumentValue, StepFailureError> {
        switch template {
        case .constant(let value): return .success(value)
        case .bytes(let bytes):
            return render(bytes, payloadCount: 0, range).flatMap { bytes in
                guard let value = ValueConversion.value(bytes, type) else {
                    return .failure(
                        StepFailureError(
                            StepFailure(
                                code: "run.wrong-type",
                                message: "\"\(escapedForDisplay(bytes))\" is no \(type.name)",
                                range: range)))
                }
                return .success(value)
            }
        case .list(let templates):
            var values: [ArgumentValue] = []
            for template in templates {
                switch value(template, type.element ?? .text, range) {
                case .success(let value): values.append(value)
                case .failure(let error): return .failure(error)
                }
            }
            return .success(.list(values))
        }
    }
}

/// A ``StepFailure`` as an error.
struct StepFailureError: Error {
    var failure: StepFailure

    init(_ failure: StepFailure) { self.failure = failure }
}
