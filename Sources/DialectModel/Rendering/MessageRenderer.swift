package import Diagnostics
package import LineProtocol
import Scenario

/// Part of a rendered message.
package enum SendPart: Sendable {
    /// A line with its terminator. If the line has no payload, the last `terminatorCount` bytes are
    /// the terminator.
    case line([UInt8], terminatorCount: Int)
    /// Bytes that must be sent in one write.
    case whole([UInt8])
    /// A pause, in nanoseconds.
    case wait(Int64)
}

/// The reason a message cannot be rendered.
package struct RenderingError: Error {
    package var code: DiagnosticCode
    package var message: String
    package var range: SourceRange
}

/// A renderer that turns message templates into bytes, using the current values of the variables.
package struct MessageRenderer {
    let dialect: Dialect
    let variables: Variables
    /// The names of the variables, for use in error messages.
    let names: [String]
    let bools: [BoolSpelling]
    let environment: [String: String]
    /// Returns the login name of an operator.
    let loginName: (Int) -> [UInt8]

    package init(
        _ dialect: Dialect, variables: Variables, names: [String], bools: [BoolSpelling],
        environment: [String: String] = [:], loginName: @escaping (Int) -> [UInt8]
    ) {
        self.dialect = dialect
        self.variables = variables
        self.names = names
        self.bools = bools
        self.environment = environment
        self.loginName = loginName
    }

    package func render(_ template: MessageTemplate) throws(RenderingError) -> [SendPart] {
        switch template.form {
        case .wire(let line, let payload, let kind):
            return [try renderWire(line, payload, kind, template.range)]
        case .raw(let segments):
            var parts: [SendPart] = []
            for segment in segments {
                switch segment {
                case .wait(let time): parts.append(.wait(time))
                case .bytes(let bytes): parts.append(.whole(try render(bytes, template.range)))
                }
            }
            return parts
        case .typed(let command, _, let arguments):
            return [try renderTyped(command, arguments, template.range)]
        }
    }

    private func renderWire(
        _ line: MessageTemplate.Bytes, _ payload: MessageTemplate.Bytes?,
        _ kind: FrameWriter.PayloadKind, _ range: SourceRange
    ) throws(RenderingError) -> SendPart {
        let body = try payload.map { payload throws(RenderingError) in try render(payload, range) }
        let bytes = try render(line, range, payloadCount: body?.count ?? 0)
        return try frame(bytes, body, kind, range)
    }

    /// Frames a line of wire text. The dialect determines only the framing; the text is sent
    /// unchanged, even if it is invalid.
    private func frame(
        _ line: [UInt8], _ payload: [UInt8]?, _ kind: FrameWriter.PayloadKind, _ range: SourceRange
    ) throws(RenderingError) -> SendPart {
        let terminator = dialect.framing.fromClient.terminator
        if dialect.framing.unit == .line, !dialect.framing.telnet {
            var bytes = line + terminator.bytes
            switch kind {
            case .none, .line, .answer: break
            case .counted(let terminated):
                bytes += payload ?? []
                if terminated { bytes += terminator.bytes }
            case .block:
                DotStuffing.append(payload ?? [], side: dialect.framing.fromClient, to: &bytes)
            }
            return .line(bytes, terminatorCount: terminator.count)
        }
        var bytes: [UInt8] = []
        do {
            let writer = FrameWriter(dialect, direction: .fromClient)
            try writer.append(line: line, payload: payload, kind: kind, to: &bytes)
            return .line(bytes, terminatorCount: terminator.count)
        } catch {
            throw RenderingError(
                code: "run.unframable", message: "cannot frame the line: \(error)",
                range: range)
        }
    }

    /// Renders the bytes of a line, a payload or a parameter, with the variable values filled in.
    package func render(
        _ bytes: MessageTemplate.Bytes, _ range: SourceRange, payloadCount: Int = 0
    ) throws(RenderingError) -> [UInt8] {
        var result: [UInt8] = []
        for element in bytes.elements {
            switch element {
            case .literal(let literal): result += literal
            case .length: result += Array(String(payloadCount).utf8)
            case .loginName(let index): result += loginName(index)
            case .computed(.base64(let inner)):
                result += Base64.encoded(try render(inner, range))
            case .computed(.sum(let terms)): result += try sum(terms, range)
            case .environment(let name):
                guard let value = environment[name] else {
                    throw missing("environment variable \(name)", range)
                }
                result += Array(value.utf8)
            case .verbatim(let variable), .variable(let variable), .checked(let variable, _):
                guard let value = variables[variable] else {
                    throw missing("{{\(names[variable])}}", range)
                }
                if case .checked(_, let type) = element, !BytesPattern.isOf(type, value, bools) {
                    throw RenderingError(
                        code: "run.wrong-type",
                        message: "\"\(escapedForDisplay(value))\" is not of type \(type.rawValue)",
                        range: range)
                }
                if case .variable = element {
                    // Captured values are stored in decoded form, so they must be escaped again
                    // before sending.
                    result += (try? dialect.escaping.fromClient.field.encode(value)) ?? value
                } else {
                    result += value
                }
            }
        }
        return result
    }

    private func sum(
        _ terms: [ComputedBytes.Term], _ range: SourceRange
    ) throws(RenderingError) -> [UInt8] {
        do throws(ComputedBytes.Failure) {
            return try ComputedBytes.sum(terms) { variables[$0] }
        } catch {
            switch error {
            case .noValue(let variable): throw missing("{{\(names[variable])}}", range)
            case .notANumber(let bytes):
                throw RenderingError(
                    code: "run.wrong-type",
                    message: "cannot add \"\(escapedForDisplay(bytes))\": it is not an integer",
                    range: range)
            case .overflow:
                throw RenderingError(
                    code: "run.wrong-type", message: "the sum does not fit in 64 bits",
                    range: range)
            }
        }
    }

    private func missing(_ what: String, _ range: SourceRange) -> RenderingError {
        RenderingError(
            code: "run.no-value", message: "\(what) has no value at this point", range: range)
    }

    private func renderTyped(
        _ command: Int, _ arguments: [MessageTemplate.ArgumentTemplate], _ range: SourceRange
    ) throws(RenderingError) -> SendPart {
        let signature = dialect.commands.signatures[command]
        var values = [ArgumentValue](repeating: .absent, count: signature.arguments.count)
        for argument in arguments {
            let type = signature.arguments[argument.index].valueType
            values[argument.index] = try value(argument.value, type, range)
        }
        SendEncoding.fillTrailingGaps(&values, signature)
        var line: [UInt8] = []
        do {
            try MessageEncoder(dialect, direction: .fromClient).append(command, values, to: &line)
        } catch {
            throw RenderingError(
                code: "run.unencodable", message: SendEncoding.explain(error, signature, dialect),
                range: range)
        }
        return .line(line, terminatorCount: dialect.framing.fromClient.terminator.count)
    }

    private func value(
        _ template: MessageTemplate.ValueTemplate, _ type: ArgumentType, _ range: SourceRange
    ) throws(RenderingError) -> ArgumentValue {
        switch template {
        case .constant(let value): return value
        case .bytes(let bytes):
            let bytes = try render(bytes, range)
            guard let value = ValueConversion.value(bytes, type) else {
                throw RenderingError(
                    code: "run.wrong-type",
                    message: "\"\(escapedForDisplay(bytes))\" is not of type \(type.name)",
                    range: range)
            }
            return value
        case .list(let templates):
            var values: [ArgumentValue] = []
            for template in templates {
                values.append(try value(template, type.element ?? .text, range))
            }
            return .list(values)
        }
    }
}
