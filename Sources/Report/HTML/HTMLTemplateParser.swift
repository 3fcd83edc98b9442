/// A parser for page templates. Partials are inserted where the template includes them.
struct HTMLTemplateParser {
    private let name: String
    private let source: [UInt8]
    /// Source text of the templates, by name.
    private let sources: [String: [UInt8]]
    private var offset = 0

    init(_ name: String, _ source: [UInt8], _ sources: [String: [UInt8]]) {
        self.name = name
        self.source = source
        self.sources = sources
    }

    /// Parses to the end of the template or section.
    mutating func parts(of section: String? = nil) throws(ReportError) -> [HTMLTemplate.Part] {
        var parts: [HTMLTemplate.Part] = []
        while let start = index(of: "{{", from: offset) {
            var text = source[offset..<start]
            let tag = try tag(at: start)
            if tag.isStructure, let line = line(around: start..<offset) {
                text = source[text.startIndex..<line.lowerBound]
                offset = line.upperBound
            }
            if !text.isEmpty { parts.append(.text(Array(text))) }
            switch tag {
            case .value(let name, let isEscaped): parts.append(.value(name, isEscaped: isEscaped))
            case .start(let name, let isInverted):
                let inner = try self.parts(of: name)
                parts.append(.section(name, inner, isInverted: isInverted))
            case .partial(let name): parts += try HTMLTemplate(name, in: sources).parts
            case .end(section): return parts
            case .end(let name): throw error("`{{/\(name)}}` does not end the open section")
            }
        }
        if let section { throw error("`{{#\(section)}}` has no end") }
        if offset < source.count { parts.append(.text(Array(source[offset...]))) }
        offset = source.count
        return parts
    }

    private enum Tag {
        case value(String, isEscaped: Bool)
        case start(String, isInverted: Bool)
        case end(String)
        case partial(String)

        /// True for tags that produce no text themselves.
        var isStructure: Bool { if case .value = self { false } else { true } }
    }

    /// Reads a tag and advances past it.
    private mutating func tag(at start: Int) throws(ReportError) -> Tag {
        let first = start + 2
        let isRaw = first < source.count && source[first] == UInt8(ascii: "{")
        let close = isRaw ? "}}}" : "}}"
        guard let end = index(of: close, from: first), first < end else {
            throw error("a tag has no `\(close)`")
        }
        offset = end + close.utf8.count
        let rest = String(decoding: source[(first + 1)..<end], as: UTF8.self)
        return switch source[first] {
        case UInt8(ascii: "{"): .value(rest, isEscaped: false)
        case UInt8(ascii: "#"): .start(rest, isInverted: false)
        case UInt8(ascii: "^"): .start(rest, isInverted: true)
        case UInt8(ascii: "/"): .end(rest)
        case UInt8(ascii: ">"): .partial(rest)
        default: .value(String(decoding: source[first..<end], as: UTF8.self), isEscaped: true)
        }
    }

    /// Returns the range of the line that contains only this tag; nil if the line contains anything
    /// else.
    private func line(around tag: Range<Int>) -> Range<Int>? {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") }
        let start = source[..<tag.lowerBound].lastIndex { !isSpace($0) }
        guard let end = source[tag.upperBound...].firstIndex(where: { !isSpace($0) }),
            source[end] == UInt8(ascii: "\n"),
            start.map({ source[$0] }) ?? UInt8(ascii: "\n") == UInt8(ascii: "\n")
        else { return nil }
        return (start.map { $0 + 1 } ?? 0)..<(end + 1)
    }

    private func index(of text: String, from start: Int) -> Int? {
        let bytes = Array(text.utf8)
        guard source.count >= bytes.count, start <= source.count - bytes.count else { return nil }
        return (start...(source.count - bytes.count)).first {
            source[$0..<($0 + bytes.count)].elementsEqual(bytes)
        }
    }

    private func error(_ message: String) -> ReportError {
        ReportError(description: "the page template `\(name)`: \(message)")
    }
}
