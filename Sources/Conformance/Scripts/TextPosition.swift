import DialectModel
import LineProtocol

/// The position of the message body in a line. It determines which bytes the body can contain.
struct TextPosition {
    /// Escape rule for the body; nil in a payload or a RESP string, which can contain any bytes
    /// because its length is declared.
    let rule: EscapeRule?
    private let dialect: Dialect

    /// Finds the position; nil if no client line contains a message.
    init?(_ subject: Subject) {
        guard subject.talk?.isOneLine == true,
            let wire = CaseScript("", subject).wire(bytes: Array("x".utf8), by: "alice")
        else { return nil }
        dialect = subject.dialect
        let isCounted = !wire.tail.isEmpty || dialect.syntax.fromClient.resp
        let rule = Self.rule(subject.dialect)
        let separators = ByteSet(subject.dialect.syntax.fromClient.separators)
        self.rule =
            isCounted ? nil : Self.isRest(subject) ? rule.allowing(separators) : rule
    }

    /// Finds the position of a text argument in other client lines; nil if lines have no arguments.
    init?(inLinesOf subject: Subject) {
        guard subject.hasVerbs else { return nil }
        dialect = subject.dialect
        rule = Self.rule(subject.dialect)
    }

    private static func rule(_ dialect: Dialect) -> EscapeRule {
        let syntax = dialect.syntax.fromClient
        if syntax.keyValue != nil { return dialect.escaping.fromClient.value }
        return syntax.trailingMarker != nil
            ? dialect.escaping.fromClient.trailing : dialect.escaping.fromClient.field
    }

    /// Returns whether messages extend to the end of the line, in both directions, and can contain
    /// any separators.
    private static func isRest(_ subject: Subject) -> Bool {
        let dialect = subject.dialect
        guard let talk = subject.talk, !dialect.syntax.fromClient.separatorRuns,
            dialect.syntax.fromClient.trailingMarker == nil,
            let sent = subject.bound[talk.sends]?.sentLines.first,
            let heard = subject.bound[talk.hears]?.awaitedLines.first
        else { return false }
        return [sent, heard].allSatisfy { line in
            let signature = dialect.commands.signatures[line.command]
            let fields = signature.arguments.indices.filter {
                signature.arguments[$0].isPositional
            }
            return dialect.joinsRest(signature, from: line.direction)
                && fields.allSatisfy { signature.arguments[$0].isRequired }
                && fields.last.map { line.arguments[$0] == [.variable("text")] } == true
        }
    }

    /// Name of the dialect setting that determines how messages are encoded.
    var setting: String { rule?.marker == nil ? "arguments" : "escaping" }

    /// Returns the encoded form of a byte; nil if the byte cannot be sent.
    func spelling(_ byte: UInt8) -> [UInt8]? {
        guard let rule else { return [byte] }
        do { return try rule.encode([byte]) } catch { return nil }
    }

    /// Returns whether the encoded form of a byte differs from the byte itself.
    func isEscaped(_ byte: UInt8) -> Bool { spelling(byte).map { $0 != [byte] } ?? false }

    /// Returns whether the dialect guarantees that a byte is delivered, on its own or as part of a
    /// UTF-8 sequence.
    func isPreserved(_ byte: UInt8) -> Bool {
        guard spelling(byte) != nil else { return false }
        if isEscaped(byte) { return true }
        return switch byte {
        case 0: dialect.policies["nul"] == "pass"
        case 0x80...: dialect.policies["invalid-utf8"] == "pass"
        default: !ASCII.isControl(byte) || dialect.policies["control-bytes"] == "pass"
        }
    }

    /// Bytes that have a special meaning in the dialect's lines.
    var special: [UInt8] {
        let syntax = dialect.syntax.fromClient
        let keys = syntax.keyValue
        let optional: [UInt8?] = [
            rule?.marker, syntax.sourceMarker, syntax.trailingMarker, syntax.tags?.marker,
            keys?.assignment, keys?.optionMarker, keys?.rowSeparator,
        ]
        let ends = dialect.framing.fromClient.accepted.flatMap(\.bytes)
        var result: [UInt8] = []
        for byte in syntax.separators + optional.compactMap(\.self) + ends + [0x22, 0x25, 0x5C]
        where !result.contains(byte) {
            result.append(byte)
        }
        return result
    }

    /// Returns a suffix for a claim that lists the bytes whose delivery the dialect does not
    /// guarantee, such as ` (except 0A, 0D)`; empty if there are none.
    func leftOut(_ bytes: [UInt8]) -> String { Self.without(bytes.filter { !isPreserved($0) }) }

    /// Returns a suffix for a claim that lists the excluded bytes; empty if there are none.
    static func without(_ missing: [UInt8]) -> String {
        missing.isEmpty ? "" : " (except \(listed(missing)))"
    }

    /// Formats bytes as hexadecimal ranges, such as `00-1F, 80-FF`.
    private static func listed(_ bytes: [UInt8]) -> String {
        var ranges: [ClosedRange<UInt8>] = []
        for byte in bytes.sorted() {
            if let last = ranges.last, last.upperBound &+ 1 == byte {
                ranges[ranges.count - 1] = last.lowerBound...byte
            } else {
                ranges.append(byte...byte)
            }
        }
        return ranges.map { range in
            range.count == 1
                ? hex(range.lowerBound) : "\(hex(range.lowerBound))-\(hex(range.upperBound))"
        }.joined(separator: ", ")
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension ASCII {
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
