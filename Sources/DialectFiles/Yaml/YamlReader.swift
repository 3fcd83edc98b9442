package import Diagnostics
import LineProtocol
import Yams

/// Reads YAML text into ``YamlValue``. No other code uses the YAML library.
package struct YamlReader {
    /// Maximum size of a dialect file, in bytes.
    static let fileBytesMax = 512 << 10
    /// Maximum number of values. An alias counts each time it is used.
    static let valuesMax = 50_000
    /// Maximum nesting depth of lists and maps.
    static let depthMax = 32
    /// Maximum number of aliases, because nested aliases can expand to millions of values.
    static let aliasesMax = 16

    private let source: SourceText
    private let marks: YamlMarks
    private var valuesLeft = Self.valuesMax

    private init(_ source: SourceText) {
        self.source = source
        marks = YamlMarks(source)
    }

    /// Reads a file of this kind; returns nil if it is empty.
    package static func read(
        _ source: SourceText, as kind: FileKind
    ) throws(Diagnosed) -> YamlValue? {
        do {
            return try read(source)
        } catch {
            throw Diagnosed(error.diagnostics.map(kind.worded))
        }
    }

    /// Reads the single value in a file; returns nil if the file is empty.
    static func read(_ source: SourceText) throws(Diagnosed) -> YamlValue? {
        let text = try checkedText(source)
        var reader = YamlReader(source)
        return try reader.read(text)
    }

    private static func checkedText(_ source: SourceText) throws(Diagnosed) -> String {
        func refused(_ message: String, at offset: Int) -> Diagnosed {
            let range = SourceRange(start: offset, end: offset + 1)
            return Diagnosed(
                Diagnostic(
                    .error, .fileTooLarge, message,
                    at: DiagnosticLocation(source: source, range: range)))
        }
        guard !source.isTruncated, source.bytes.count <= fileBytesMax else {
            let kilobytes = fileBytesMax >> 10
            throw refused("a dialect file is limited to \(kilobytes) KiB", at: fileBytesMax - 1)
        }
        if let offset = tooManyAliases(source.bytes) {
            throw refused("a dialect file is limited to \(aliasesMax) aliases", at: offset)
        }
        guard let text = String(validating: source.bytes, as: UTF8.self) else {
            let offset = firstInvalidByte(source.bytes)
            throw Diagnosed(
                Diagnostic(
                    .error, .notUTF8, "the file is not UTF-8",
                    at: DiagnosticLocation(
                        source: source, range: SourceRange(start: offset, end: offset + 1))
                ).help("save it as UTF-8; write other bytes as 0xHH"))
        }
        return text
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
        var input = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: return offset
            }
        }
    }

    /// Returns the offset of the first alias, or of what looks like one, beyond the maximum.
    private static func tooManyAliases(_ bytes: [UInt8]) -> Int? {
        var count = 0
        var previous = UInt8(ascii: "\n")
        for (offset, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "*"), " \n\r\t,[{:-".utf8.contains(previous),
                offset + 1 < bytes.count, !" \n\r\t".utf8.contains(bytes[offset + 1])
            {
                count += 1
                if count > aliasesMax { return offset }
            }
            previous = byte
        }
        return nil
    }

    private mutating func read(_ text: String) throws(Diagnosed) -> YamlValue? {
        do {
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            guard let node = try parser.singleRoot() else { return nil }
            return try value(node, depth: 0)
        } catch let error as YamlError {
            throw Diagnosed(YamlFault(error, source, marks).diagnostic)
        } catch let error as Diagnosed {
            throw error
        } catch {
            throw Diagnosed(Diagnostic(.error, .yaml, "invalid YAML: \(error)"))
        }
    }

    private mutating func value(_ node: Node, depth: Int) throws(Diagnosed) -> YamlValue {
        let start = node.mark.map { marks.offset(line: $0.line, column: $0.column) } ?? 0
        let range = SourceRange(start: start, end: min(start + 1, source.bytes.count))
        valuesLeft -= 1
        guard valuesLeft > 0, depth < Self.depthMax else {
            throw Diagnosed(
                Diagnostic(
                    .error, .fileTooLarge,
                    valuesLeft > 0
                        ? "lists and maps are nested more than \(Self.depthMax) deep"
                        : "the file has more than \(Self.valuesMax) values",
                    at: DiagnosticLocation(source: source, range: range)))
        }
        switch node {
        case .scalar(let scalar):
            return self.scalar(scalar, at: start)
        case .sequence(let sequence):
            var values: [YamlValue] = []
            for item in sequence { values.append(try value(item, depth: depth + 1)) }
            return YamlValue(kind: .list(values), range: range)
        case .mapping(let mapping):
            return YamlValue(kind: .map(try entries(mapping, depth: depth)), range: range)
        case .alias:
            return YamlValue(kind: .scalar("", .plain), range: range)
        }
    }

    private mutating func entries(
        _ mapping: Node.Mapping, depth: Int
    ) throws(Diagnosed) -> [YamlEntry] {
        var entries: [YamlEntry] = []
        for (key, content) in mapping {
            let name = try value(key, depth: depth + 1)
            guard case .scalar = name.kind else {
                throw Diagnosed(
                    Diagnostic(
                        .error, .wrongType, "a key must be a word, not \(name.description)",
                        at: DiagnosticLocation(source: source, range: name.range)))
            }
            entries.append(YamlEntry(key: name, value: try value(content, depth: depth + 1)))
        }
        return entries
    }

    private func scalar(_ scalar: Node.Scalar, at start: Int) -> YamlValue {
        let style: YamlValue.ScalarStyle =
            switch scalar.style {
            case .plain, .any: .plain
            case .singleQuoted, .doubleQuoted: .quoted
            case .literal, .folded: .block
            }
        let range = marks.rangeOfScalar(
            at: start, text: scalar.string, isPlain: style == .plain, isBlock: style == .block)
        return YamlValue(kind: .scalar(scalar.string, style), range: range)
    }
}
