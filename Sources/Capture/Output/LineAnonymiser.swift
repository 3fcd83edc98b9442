import Diagnostics
import LineProtocol

/// An anonymiser that writes the lines of one direction again, with other names, texts and numbers.
///
/// Commands, times, choices and Booleans stay. All other arguments are replaced, and so is the
/// whole of a line that cannot be decoded.
final class LineAnonymiser {
    private let signatures: [CommandSignature]
    /// Flags for the arguments that hold names, by command.
    private let holdNames: [[Bool]]
    private let framing: Framing
    private let encoder: MessageEncoder
    private let writer: FrameWriter
    private let names: Anonymiser
    private let contents: ContentPseudonyms

    init(
        _ dialect: Dialect, _ direction: Direction, names: Anonymiser, contents: ContentPseudonyms
    ) {
        signatures = dialect.commands.signatures
        holdNames = signatures.map { $0.arguments.map { Anonymiser.role($0) == .names } }
        framing = dialect.framing
        encoder = MessageEncoder(dialect, direction: direction)
        writer = FrameWriter(dialect, direction: direction)
        self.names = names
        self.contents = contents
    }

    /// Returns the bytes to send in place of a line; empty if the line cannot be replaced.
    func frame(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) -> [UInt8] {
        let isWhole = line.marks.isDisjoint(with: [.headMissing, .tailMissing])
        var frame: [UInt8] = []
        if isWhole, let command = message.command {
            do {
                try encoder.append(command, values(command, message, in: bytes), to: &frame)
                return ended(frame, as: line)
            } catch {
                // The pseudonyms cannot be written in this place, so the line is masked.
            }
        }
        let masked = [UInt8](repeating: UInt8(ascii: "x"), count: line.frame.line.count)
        guard framing.unit == .line || isWhole else { return [] }
        do {
            try writer.append(line: masked, to: &frame)
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

    /// What decides how an argument is replaced.
    private struct Argument {
        var isSecret: Bool
        var holdsNames: Bool
    }

    private func values(
        _ command: Int, _ message: Message, in bytes: Span<UInt8>
    ) -> [ArgumentValue] {
        let signature = signatures[command]
        let missing = missing(message, signature.arguments)
        return signature.arguments.indices.map { index in
            if missing.contains(index) { return .absent }
            let value = message.value(at: index, of: signature, in: bytes)
            let argument = Argument(
                isSecret: signature.arguments[index].isCredential,
                holdsNames: holdNames[command][index])
            switch signature.arguments[index].position {
            // The encoder fills in the length.
            case .payloadLength: return .absent
            case .key(let key) where framing.unit == .headerFrame(lengthHeader: key):
                return .absent
            case .verb: return verb(value, signature.wire)
            case .payload:
                let verb = bytes.array(message.split.verb)
                return switch value {
                case .text(let text): .text(payload(text, argument, verb: verb))
                case .bytes(let text): .bytes(payload(text, argument, verb: verb))
                default: replaced(value, argument)
                }
            default: return replaced(value, argument)
            }
        }
    }

    /// Returns the indices of the arguments that the line lacks, so that they stay missing.
    private func missing(_ message: Message, _ arguments: [ArgumentSignature]) -> [Int] {
        for case .tooFew(let count) in message.issues {
            let required = arguments.indices.filter {
                arguments[$0].isPositional && arguments[$0].isRequired
            }
            return required.suffix(count)
        }
        return []
    }

    /// Keeps the digits or the prefix by which a command is recognised.
    private func verb(_ value: ArgumentValue, _ wire: WireName) -> ArgumentValue {
        guard case .text(let text) = value else { return value }
        switch wire {
        case .prefix(let prefix):
            return .text(prefix + contents.text(Array(text.dropFirst(prefix.count))))
        case .digits(nil):
            let number = contents.number(Int64(String(decoding: text, as: UTF8.self)) ?? .max)
            return .text(Array(String(number).utf8))
        case .digits, .exact, .none, .prompted: return value
        }
    }

    private func replaced(_ value: ArgumentValue, _ argument: Argument) -> ArgumentValue {
        switch value {
        case .absent, .bool, .choice, .time: value
        case .int(let number): .int(argument.isSecret ? 0 : contents.number(number))
        case .decimal(let number):
            number.unscaled.magnitude < 10_000 && !argument.isSecret
                ? value : .decimal(Decimal64(unscaled: 0, scale: 0))
        case .text(let text): .text(replaced(text, argument))
        case .bytes(let text): .bytes(replaced(text, argument))
        case .xml(let text): .xml(replaced(text, argument))
        // A JSON string.
        case .json(let text): .json([0x22] + replaced(text, argument) + [0x22])
        case .list(let values): .list(values.map { replaced($0, argument) })
        }
    }

    /// Replaces each line of a payload. In answers of several lines, each line repeats the code.
    private func payload(
        _ text: [UInt8], _ argument: Argument, verb: [UInt8]
    ) -> [UInt8] {
        let lines = text.split(separator: ASCII.lf, omittingEmptySubsequences: false).map { line in
            let code = line.starts(with: verb) ? line.prefix(verb.count + 1) : []
            let end = line.last == ASCII.cr ? line.suffix(1) : []
            return code + replaced(Array(line.dropFirst(code.count).dropLast(end.count)), argument)
                + end
        }
        return Array(lines.joined(separator: [ASCII.lf]))
    }

    private func replaced(_ text: [UInt8], _ argument: Argument) -> [UInt8] {
        if argument.isSecret { return SecretMask.stars }
        return argument.holdsNames
            ? names.value(text.span, .names) : names.known(text) ?? contents.text(text)
    }
}
