import Diagnostics

/// A parser for comma-separated values (RFC 4180). Fields in double quotes may contain line breaks
/// and doubled quotes. Empty lines are skipped.
struct CSVReader {
    /// A field of a record, with its position in the file.
    struct Field {
        var value: [UInt8]
        var range: SourceRange
    }

    private let source: SourceText
    private let end: Int
    private var offset: Int

    init(_ source: SourceText) {
        self.source = source
        end = source.bytes.count
        offset = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Returns the fields of the next record; nil at the end of the file.
    mutating func record() throws(Diagnosed) -> [Field]? {
        while skipLineEnd() {}
        guard offset < end else { return nil }
        var fields = [try field()]
        while peek == UInt8(ascii: ",") {
            offset += 1
            fields.append(try field())
        }
        _ = skipLineEnd()
        return fields
    }

    private mutating func field() throws(Diagnosed) -> Field {
        let start = offset
        if peek == UInt8(ascii: "\"") { return try quoted() }
        while let byte = peek, !isEnd(byte) {
            if byte == UInt8(ascii: "\"") {
                throw error(
                    "an unquoted field must not contain a quote", offset,
                    help: "put the whole field in quotes, and double the quotes inside it")
            }
            offset += 1
        }
        let range = SourceRange(start: start, end: offset)
        return Field(value: Array(source.bytes(in: range)), range: range)
    }

    private mutating func quoted() throws(Diagnosed) -> Field {
        let start = offset
        offset += 1
        var value: [UInt8] = []
        while let byte = peek {
            offset += 1
            guard byte == UInt8(ascii: "\"") else {
                value.append(byte)
                continue
            }
            guard peek == UInt8(ascii: "\"") else {
                if let next = peek, !isEnd(next) {
                    throw error(
                        "expected `,` or the end of the line after the closing quote", offset,
                        help: "double the quotes inside a field")
                }
                return Field(value: value, range: SourceRange(start: start, end: offset))
            }
            value.append(byte)
            offset += 1
        }
        throw error(
            "expected a closing quote", start, help: "double the quotes inside a field")
    }

    private var peek: UInt8? { offset < end ? source.bytes[offset] : nil }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r") && (offset + 1 >= end || next == UInt8(ascii: "\n"))
    }

    private var next: UInt8? { offset + 1 < end ? source.bytes[offset + 1] : nil }

    private mutating func skipLineEnd() -> Bool {
        if peek == UInt8(ascii: "\r"), next == nil || next == UInt8(ascii: "\n") { offset += 1 }
        guard peek == UInt8(ascii: "\n") else { return false }
        offset += 1
        return true
    }

    private func error(_ message: String, _ start: Int, help: String) -> Diagnosed {
        let range = SourceRange(start: start, end: start + 1)
        return Diagnosed(
            Diagnostic(
                .error, .badData, message, at: DiagnosticLocation(source: source, range: range)
            ).help(help))
    }
}
