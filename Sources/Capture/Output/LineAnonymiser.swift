import Diagnostics
import LineProtocol

/// An anonymiser that writes the lines of a dialect again, with other names, texts and numbers.
///
/// Commands, times, choices and Booleans stay. All other arguments are replaced, and so is the
/// whole of a line that cannot be decoded.
final class LineAnonymiser {
    private let signatures: [CommandSignature]
    private let framing: Framing
    /// Finds the arguments that hold secrets or names.
    private let texts: CommandTexts
    private let encoders: PerDirection<MessageEncoder>
    private let writers: PerDirection<FrameWriter>
    private let names: Anonymiser
    private let contents: ContentPseudonyms

    init(_ dialect: Dialect, names: Anonymiser, contents: ContentPseudonyms) {
        signatures = dialect.commands.signatures
        framing = dialect.framing
        texts = CommandTexts(dialect, .json, showsSecrets: false, anonymises: true)
        encoders = PerDirection(
            fromClient: MessageEncoder(dialect, direction: .fromClient),
            fromServer: MessageEncoder(dialect, direction: .fromServer))
        writers = PerDirection(
            fromClient: FrameWriter(dialect, direction: .fromClient),
            fromServer: FrameWriter(dialect, direction: .fromServer))
        self.names = names
        self.contents = contents
    }

    /// Returns the bytes to send in place of a line; empty if the line cannot be replaced.
    func frame(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) -> [UInt8] {
        let isWhole = line.marks.isDisjoint(with: [.headMissing, .tailMissing])
        var frame: [UInt8] = []
        if isWhole, let command = message.command {
            // The encoder refuses to leave out some arguments, such as those before others.
            for leavesOutFilled in [true, false] {
                let values = values(
                    command, message, in: bytes, leavesOutFilled: leavesOutFilled)
                do {
                    try encoders[line.direction].append(command, values, to: &frame)
                    return ended(frame, as: line)
                } catch {
                    // If the pseudonyms cannot be written in this place, the line is masked.
                }
            }
        }
        let masked = [UInt8](repeating: UInt8(ascii: "x"), count: line.frame.line.count)
        guard framing.unit == .line || isWhole else { return [] }
        do {
            try writers[line.direction].append(line: masked, to: &frame)
        } catch {
            return []
        }
        return ended(frame, as: line)
    }

    /// Removes the terminator if the line has none.
    private func ended(_ frame: [UInt8], as line: CapturedLine) -> [UInt8] {
        guard framing.unit == .line, line.frame.terminator == nil, line.frame.payload == nil else {
            return frame
        }
        return frame.dropLast(framing.side(line.direction).terminator.bytes.count)
    }

    /// - Parameter leavesOutFilled: True to leave out arguments that are not in the line and have
    ///   been filled in, so that they stay missing.
    private func values(
        _ command: Int, _ message: Message, in bytes: Span<UInt8>, leavesOutFilled: Bool
    ) -> [ArgumentValue] {
        let signature = signatures[command]
        return signature.arguments.indices.map { index in
            if leavesOutFilled, message.arguments[index].isFilledIn { return .absent }
            let value = message.value(at: index, of: signature, in: bytes)
            let position = texts.firstArguments[command] + index
            var argument = texts.arguments[position]
            argument.isSecret =
                argument.isSecret && texts.secretStart(position, index, in: message, bytes) != nil
            switch signature.arguments[index].position {
            // The encoder fills in the length.
            case .payloadLength: return .absent
            case .key(let key) where framing.unit == .headerFrame(lengthHeader: key):
                return .absent
            case .verb: return verb(value, signature.wire)
            case .payload:
                var code: [UInt8] = []
                if case .digits = signature.wire { code = bytes.array(message.split.verb) }
                return switch value {
                case .text(let text): .text(payload(text, argument, code: code))
                case .bytes(let text): .bytes(payload(text, argument, code: code))
                default: replaced(value, argument)
                }
            default: return replaced(value, argument)
            }
        }
    }

    /// Keeps the digits or the prefix by which a command is recognised.
    private func verb(_ value: ArgumentValue, _ wire: WireName) -> ArgumentValue {
        guard case .text(let text) = value else { return value }
        switch wire {
        case .prefix(let prefix):
            return .text(prefix + contents.text(Array(text.dropFirst(prefix.count))))
        case .digits:
            guard text.count > ContentPseudonyms.keptDigitsMax else { return value }
            let number = contents.number(Int64(String(decoding: text, as: UTF8.self)) ?? .max)
            return .text(Array(String(number).utf8))
        case .exact, .none, .prompted: return value
        }
    }

    private func replaced(_ value: ArgumentValue, _ argument: CommandTexts.Argument)
        -> ArgumentValue
    {
        let isSecret = argument.isSecret
        switch value {
        case .absent: return value
        case .bool: return isSecret ? .bool(false) : value
        case .choice: return isSecret ? .choice(0) : value
        case .time: return isSecret ? .time(0) : value
        case .int(let number): return .int(isSecret ? 0 : contents.number(number))
        case .decimal(let number):
            let isKept = number.unscaled.magnitude < 10_000 && !isSecret
            return isKept ? value : .decimal(Decimal64(unscaled: 0, scale: 0))
        case .text(let text): return .text(replaced(text, argument))
        case .bytes(let text): return .bytes(replaced(text, argument))
        case .xml(let text): return .xml(isSecret ? SecretMask.stars : contents.text(text))
        case .json(let text):
            // A JSON string.
            let quote = UInt8(ascii: "\"")
            return .json([quote] + (isSecret ? SecretMask.stars : contents.text(text)) + [quote])
        case .list(let values): return .list(values.map { replaced($0, argument) })
        }
    }

    /// Replaces each line of a payload.
    ///
    /// - Parameter code: The code that each line of an answer repeats, which is kept; empty if the
    ///   payload has no codes.
    private func payload(_ text: [UInt8], _ argument: CommandTexts.Argument, code: [UInt8])
        -> [UInt8]
    {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = 0
        while start < text.count {
            let next = text[start...].firstIndex(of: ASCII.lf) ?? text.count
            var line = text[start..<next]
            let hasCR = line.last == ASCII.cr
            if hasCR { line.removeLast() }
            let rest = line.dropFirst(code.count)
            if !code.isEmpty, line.starts(with: code), let mark = rest.first,
                mark == ASCII.minus || mark == ASCII.space
            {
                result += code + [mark]
                line = rest.dropFirst()
            }
            // Single characters could spell a text.
            result +=
                argument.isSecret
                ? SecretMask.stars : contents.text(Array(line), keepsCharacter: false)
            if hasCR { result.append(ASCII.cr) }
            if next < text.count { result.append(ASCII.lf) }
            start = next + 1
        }
        return result
    }

    private func replaced(_ text: [UInt8], _ argument: CommandTexts.Argument) -> [UInt8] {
        if argument.isSecret { return SecretMask.stars }
        // A name contains no control characters.
        let isName = argument.role == .names && !text.contains { $0 < ASCII.space }
        return isName ? names.value(text.span, .names) : contents.text(text)
    }
}
