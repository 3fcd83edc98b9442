import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// A kind of value that is difficult to repeat correctly in a reply.
enum RepeatedValue: String, CaseIterable {
    case separator, marker, empty, long

    var words: String {
        switch self {
        case .separator: "a value with a separator"
        case .marker: "a value that begins with the marker of a trailing argument"
        case .empty: "an empty value"
        case .long: "a long value"
        }
    }

    /// Minimum number of filler bytes that a reply must contain to count as repeating a long value.
    private static let longMin = 32
    /// Maximum length of the filler in a long value, in bytes.
    private static let longMax = 2_000

    /// Returns a value of this kind; nil if the dialect has none. All values except the empty one
    /// contain `word`.
    func bytes(_ word: [UInt8], _ dialect: Dialect) -> [UInt8]? {
        switch self {
        case .separator: dialect.syntax.fromClient.separators.first.map { word + [$0] + word }
        case .marker: dialect.syntax.fromClient.trailingMarker.map { [$0] + word }
        case .empty: []
        case .long:
            word
                + [UInt8](
                    repeating: 0x79,
                    count: min(dialect.framing.fromClient.limits.lineBytesMax, Self.longMax))
        }
    }

    /// Returns a pattern that matches replies that repeat the value where it cannot be a single
    /// argument. Returns nil if there is no such pattern, as for an empty or a long value.
    func malformed(_ word: [UInt8], _ dialect: Dialect) -> Pattern? {
        let syntax = dialect.syntax.fromServer
        guard let value = bytes(word, dialect), let separator = syntax.separators.first,
            let marker = syntax.trailingMarker
        else { return nil }
        func literal(_ bytes: [UInt8]) -> String { ExpectedPattern.literal(bytes) }
        let (gap, mark) = (literal([separator]), literal([marker]))
        let starts = [syntax.tags?.marker, syntax.sourceMarker].compactMap(\.self)
            .map { "(\(literal([$0]))[^\(gap)]*\(gap))?" }.joined()
        let fields = "\(starts)([^\(gap)\(mark)][^\(gap)]*\(gap))+\(literal(value))"
        return switch self {
        case .separator: ExpectedPattern.matching("\(fields)(\(gap).*)?")
        case .marker: ExpectedPattern.matching("\(fields)\(gap).*")
        case .empty, .long: nil
        }
    }

    /// Returns whether the value is the reason a reply violates the command table. It is if the
    /// reply would conform with a plain word in place of the value, or if the reply repeats a long
    /// value.
    func explains(
        _ entry: TranscriptEntry, _ word: [UInt8], _ table: inout ReplyTable
    ) -> Bool {
        let separators = table.dialect.syntax.fromServer.separators
        func fits(_ line: [UInt8]) -> Bool {
            var plain = entry
            plain.bytes = line
            return table.flaw(of: plain) == nil
        }
        let line = entry.bytes
        switch self {
        case .long: return line.containsRun(of: 0x79, count: Self.longMin)
        case .empty:
            // An empty value is between two separators, or after the last one.
            return line.indices.contains { index in
                guard separators.contains(line[index]) else { return false }
                let next = index + 1
                guard next == line.count || separators.contains(line[next]) else { return false }
                return fits(line[...index] + [0x78] + line[next...])
            }
        case .separator, .marker:
            guard let value = bytes(word, table.dialect) else { return false }
            var rest = line[...]
            var plain: [UInt8] = []
            while let range = rest.firstRange(of: value) {
                plain += rest[..<range.lowerBound] + word
                rest = rest[range.upperBound...]
            }
            plain += rest
            return plain != line && fits(plain)
        }
    }
}

/// A client line with a value that the server's replies may repeat.
struct RepeatedLine {
    var command: String
    var bytes: [UInt8]
    /// The word that the value contains.
    var word: [UInt8]

    /// Returns one line for each command argument that can hold the value. Commands that end the
    /// session, need a password or have a payload are excluded.
    static func all(
        _ value: RepeatedValue, word: String, _ subject: Subject, room: Int?
    ) -> [RepeatedLine] {
        let word = Array(word.utf8)
        guard let bytes = value.bytes(word, subject.dialect) else { return [] }
        let limit = subject.dialect.framing.fromClient.limits.lineBytesMax
        let encoder = MessageEncoder(subject.dialect, direction: .fromClient)
        let roomName = room.flatMap { RoomArgument.written(String($0), subject) }
        return subject.dialect.commands.signatures.enumerated().flatMap {
            command, signature -> [RepeatedLine] in
            guard subject.isChecked(signature), signature.direction.allows(.fromClient),
                case .exact(let verb) = signature.wire, signature.payloadArgument == nil,
                !subject.logsOut(signature),
                !signature.arguments.contains(where: { $0.isCredential && $0.isRequired })
            else { return [] }
            return signature.arguments.indices.compactMap { index in
                let argument = signature.arguments[index]
                guard argument.isWritten, !argument.isCredential, argument.presence != .variadic
                else { return nil }
                var value = bytes
                var line: [UInt8] = []
                repeat {
                    guard let repeated = argument.type.text(value) else { return nil }
                    line = []
                    let values = signature.arguments.enumerated().map { other, argument in
                        guard other != index else { return repeated }
                        guard argument.isWritten, other < index || argument.isRequired else {
                            return ArgumentValue.absent
                        }
                        return RoomArgument.value(argument, of: signature, room: room, subject)
                            .flatMap { argument.type.text($0) }
                            ?? (other < index
                                ? roomName.flatMap { argument.type.text($0) } : nil)
                            ?? SampleArgument.typed(argument.type)
                    }
                    do {
                        try encoder.append(command, values, to: &line)
                    } catch {
                        // If the line may be too long, try a shorter value; otherwise, the value
                        // cannot be expressed.
                        guard value.count > limit / 2 else { return nil }
                    }
                    if line.isEmpty || line.count > limit { value.removeLast() }
                } while line.isEmpty || line.count > limit
                return RepeatedLine(
                    command: String(decoding: verb, as: UTF8.self), bytes: line, word: word)
            }
        }
    }
}

extension ArgumentSignature {
    /// True if the argument is a field of the line or has a key.
    fileprivate var isWritten: Bool {
        switch position {
        case .field, .key: true
        default: false
        }
    }
}

extension ArgumentType {
    /// Returns bytes as a value of this type; nil if the type is not a text type.
    fileprivate func text(_ bytes: [UInt8]) -> ArgumentValue? {
        switch self {
        case .text: .text(bytes)
        case .list(let element, _): element.text(bytes).map { .list([$0]) }
        default: nil
        }
    }
}

extension [UInt8] {
    fileprivate func containsRun(of byte: UInt8, count: Int) -> Bool {
        firstRange(of: [UInt8](repeating: byte, count: count)) != nil
    }
}
