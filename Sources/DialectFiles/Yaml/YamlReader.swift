package import Diagnostics
import LineProtocol

/// Reader that parses YAML text into a ``YamlValue``.
package struct YamlReader: ~Copyable {
    /// Maximum size of a dialect file, in bytes.
    static let fileBytesMax = 512 << 10
    /// Maximum number of values. The values of an alias are counted each time it is used.
    static let valuesMax = 50_000
    /// Maximum nesting depth of lists and maps.
    static let depthMax = 32
    /// Maximum number of aliases. It is low because nested aliases can expand to millions of
    /// values.
    static let aliasesMax = 16

    private let source: SourceText
    private let marks: YamlMarks
    private var parser: YamlParser
    private var valuesLeft = Self.valuesMax
    private var anchors: [String: YamlValue] = [:]

    private init(_ source: SourceText) throws(YamlError) {
        self.source = source
        marks = YamlMarks(source)
        parser = try YamlParser(source.bytes)
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
        try check(source)
        do {
            var reader = try YamlReader(source)
            return try reader.document()
        } catch let error as YamlError {
            throw Diagnosed(YamlFault(error, source, YamlMarks(source)).diagnostic)
        } catch let error as Diagnosed {
            throw error
        } catch {
            throw Diagnosed(Diagnostic(.error, .yaml, "invalid YAML: \(error)"))
        }
    }

    private static func check(_ source: SourceText) throws(Diagnosed) {
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
        do {
            _ = try UTF8Span(validating: source.bytes.span)
        } catch {
            let offset = error.byteOffsets.lowerBound
            throw Diagnosed(
                Diagnostic(
                    .error, .notUTF8, "the file is not UTF-8",
                    at: DiagnosticLocation(
                        source: source, range: SourceRange(start: offset, end: offset + 1))
                ).help("save it as UTF-8; write other bytes as 0xHH"))
        }
    }

    /// Returns the offset of the first alias beyond the maximum; nil if there are not too many.
    /// Anything that looks like an alias counts.
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

    private mutating func document() throws -> YamlValue? {
        var document: YamlValue?
        while true {
            let event = try parser.next()
            switch event.kind {
            case .streamEnd: return document
            case .documentStart where document != nil:
                throw Diagnosed(
                    Diagnostic(
                        .error, .yaml, "a dialect file must contain a single YAML document",
                        at: location(start(of: event))
                    ).help("remove the `---` line, or split the file"))
            case .documentStart: document = try value(parser.next(), depth: 0)
            default: continue
            }
        }
    }

    private func start(of event: YamlEvent) -> Int {
        min(marks.offset(of: event.mark), source.bytes.count)
    }

    private func location(_ start: Int) -> DiagnosticLocation {
        DiagnosticLocation(source: source, range: byte(start))
    }

    private func byte(_ start: Int) -> SourceRange {
        SourceRange(start: start, end: min(start + 1, source.bytes.count))
    }

    /// Reads the value that `event` starts.
    private mutating func value(_ event: YamlEvent, depth: Int) throws -> YamlValue {
        let start = start(of: event)
        if case .alias(let name) = event.kind {
            guard let value = anchors[name] else {
                throw YamlError.syntax("found undefined alias", event.mark, context: nil)
            }
            try count(value, depth: depth)
            return value
        }
        try countValue(at: start, depth: depth)
        let anchor: String?
        let value: YamlValue
        switch event.kind {
        case .scalar(let text, let style, let name):
            let range = marks.rangeOfScalar(
                at: start, text: text, isPlain: style == .plain, isBlock: style == .block)
            (value, anchor) = (YamlValue(kind: .scalar(text, style), range: range), name)
        case .mapStart(let name):
            let map = try entries(depth: depth)
            (value, anchor) = (YamlValue(kind: .map(map), range: byte(start)), name)
        case .listStart(let name):
            let list = try items(depth: depth)
            (value, anchor) = (YamlValue(kind: .list(list), range: byte(start)), name)
        case .alias, .end, .documentStart, .streamEnd, .other:
            throw YamlError.syntax("found no value", event.mark, context: nil)
        }
        if let anchor { anchors[anchor] = value }
        return value
    }

    /// Counts a value. Throws an error if a limit is exceeded.
    private mutating func countValue(at start: Int, depth: Int) throws(Diagnosed) {
        valuesLeft -= 1
        guard valuesLeft > 0, depth < Self.depthMax else {
            throw Diagnosed(
                Diagnostic(
                    .error, .fileTooLarge,
                    valuesLeft > 0
                        ? "lists and maps are nested more than \(Self.depthMax) levels deep"
                        : "the file has more than \(Self.valuesMax) values",
                    at: location(start)))
        }
    }

    /// Counts the values of an alias. Throws an error if a limit is exceeded.
    private mutating func count(_ value: YamlValue, depth: Int) throws(Diagnosed) {
        try countValue(at: value.range.start, depth: depth)
        switch value.kind {
        case .scalar: break
        case .list(let values):
            for value in values { try count(value, depth: depth + 1) }
        case .map(let entries):
            for entry in entries {
                try count(entry.key, depth: depth + 1)
                try count(entry.value, depth: depth + 1)
            }
        }
    }

    private mutating func items(depth: Int) throws -> [YamlValue] {
        var values: [YamlValue] = []
        while true {
            let event = try parser.next()
            if case .end = event.kind { return values }
            values.append(try value(event, depth: depth + 1))
        }
    }

    private mutating func entries(depth: Int) throws -> [YamlEntry] {
        var entries: [YamlEntry] = []
        var keys: [String: SourceRange] = [:]
        while true {
            let event = try parser.next()
            if case .end = event.kind { return entries }
            let key = try value(event, depth: depth + 1)
            guard case .scalar(let name, _) = key.kind else {
                throw Diagnosed(
                    Diagnostic(
                        .error, .wrongType, "a key must be a word, not \(key.description)",
                        at: DiagnosticLocation(source: source, range: key.range)))
            }
            if let first = keys.updateValue(key.range, forKey: name) {
                throw duplicate(name, at: key.range, first: first)
            }
            entries.append(YamlEntry(key: key, value: try value(parser.next(), depth: depth + 1)))
        }
    }

    private func duplicate(_ name: String, at range: SourceRange, first: SourceRange) -> Diagnosed {
        Diagnosed(
            Diagnostic(
                .error, .duplicateKey, "`\(shortened(name))` occurs twice in the same map",
                at: DiagnosticLocation(source: source, range: range)
            )
            .related(DiagnosticLocation(source: source, range: first, label: "first defined here"))
            .help("keep one of them"))
    }
}
