import Diagnostics
import DialectModel
import LineProtocol

/// A formatter for argument values in the log and in JSON.
struct ValueWriter {
    let style: TextBuffer.Style
    let signatures: [CommandSignature]
    /// Anonymiser for names and addresses; nil to leave them unchanged.
    let anonymiser: Anonymiser?

    /// Returns whether an argument is shown in quotes, with no changes other than escaping.
    @inline(__always)
    func isUnchanged(_ argument: DecodedArgument) -> Bool {
        argument.kind == .text && anonymiser == nil
    }

    /// Appends the value of the argument with this index, which must be present in the message.
    @inline(__always)
    func append(
        _ argument: DecodedArgument, at index: Int, _ role: Anonymiser.Role,
        _ message: Message, in bytes: Span<UInt8>, to buffer: inout TextBuffer
    ) {
        if argument.kind == .text {
            message.withBytes(argument, in: bytes) { appendText($0, role, to: &buffer) }
        } else if argument.kind == .int {
            buffer.append(decimal: argument.number)
        } else {
            appendOther(argument, at: index, role, message, in: bytes, to: &buffer)
        }
    }

    /// Appends a value with its secret part replaced by `***`. In a JSON value, only the secrets
    /// are replaced.
    ///
    /// - Parameter start: Offset of the secret in the value.
    @inline(never)
    func appendMasked(
        _ argument: DecodedArgument, from start: Int, _ message: Message, in bytes: Span<UInt8>,
        to buffer: inout TextBuffer
    ) {
        guard start == 0 else {
            let text = message.bytes(argument, in: bytes)[..<start] + SecretMask.stars
            return appendText(Array(text).span, .text, to: &buffer)
        }
        guard argument.kind == .json, anonymiser == nil else {
            buffer.append("\"***\"")
            return
        }
        var json = message.bytes(argument, in: bytes)
        for range in JSONSecrets.ranges(in: json, json.indices).reversed() {
            json.replaceSubrange(range, with: SecretMask.stars)
        }
        appendText(json.span, .text, to: &buffer)
    }

    @_optimize(speed)
    @inline(__always)
    func appendText(
        _ text: Span<UInt8>, _ role: Anonymiser.Role, to buffer: inout TextBuffer
    ) {
        if let anonymiser {
            let replaced = anonymiser.value(text, role)
            style == .log
                ? buffer.append(shown: replaced.span) : buffer.append(json: replaced.span)
        } else if style == .log {
            buffer.append(shown: text)
        } else {
            buffer.append(json: text)
        }
    }

    @inline(never)
    private func appendOther(
        _ argument: DecodedArgument, at index: Int, _ role: Anonymiser.Role, _ message: Message,
        in bytes: Span<UInt8>, to buffer: inout TextBuffer
    ) {
        switch argument.kind {
        case .bytes, .json, .xml:
            message.withBytes(argument, in: bytes) { appendText($0, role, to: &buffer) }
        case .bool: buffer.append(argument.number != 0 ? "true" : "false")
        default:
            guard let command = message.command else { return }
            let signature = signatures[command]
            append(
                message.value(at: index, of: signature, in: bytes),
                signature.arguments[index].type, role, to: &buffer)
        }
    }

    func append(
        _ value: ArgumentValue, _ type: ArgumentType, _ role: Anonymiser.Role,
        to buffer: inout TextBuffer
    ) {
        switch value {
        case .absent: buffer.append(style == .log ? "–" : "null")
        case .int(let number): buffer.append(decimal: number)
        case .bool(let flag): buffer.append(flag ? "true" : "false")
        case .decimal(let number): buffer.append(number.bytes)
        case .text(let bytes), .bytes(let bytes), .json(let bytes), .xml(let bytes):
            appendText(bytes.span, role, to: &buffer)
        case .time:
            let bytes = ValueConversion.bytes(value, .time(.rfc3339)) ?? []
            style == .log ? buffer.append(bytes) : buffer.append(json: bytes.span)
        case .choice(let index):
            guard case .choice(let words) = type, words.indices.contains(index) else { return }
            let word = Array(words[index].utf8)
            style == .log
                ? buffer.append(escaped: word.span, .log) : buffer.append(json: word.span)
        case .list(let values):
            var element = type
            if case .list(let inner, _) = type { element = inner }
            buffer.append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { appendComma(to: &buffer) }
                append(value, element, role, to: &buffer)
            }
            buffer.append("]")
        }
    }

    private func appendComma(to buffer: inout TextBuffer) {
        buffer.append(style == .log ? ", " : ",")
    }
}
