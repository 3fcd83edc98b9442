/// A finder for the command of a line, which does not split the line's fields.
package struct VerbFinder: Sendable {
    let syntax: FieldSyntax
    let separators: ByteSet

    /// Creates a finder for lines with this syntax.
    package init(_ syntax: FieldSyntax) {
        self.syntax = syntax
        separators = ByteSet(syntax.separators)
    }

    /// Returns the range of the command, found by the rules that ``LineSplitter`` uses.
    package func verb(of line: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        var lower = line.lowerBound
        if syntax.verb == .none { return lower..<lower }
        if let tags = syntax.tags, lower < line.upperBound, bytes[lower] == tags.marker {
            lower = endOfSeparators(endOfField(lower, line, bytes), line, bytes)
        }
        if let marker = syntax.sourceMarker, lower < line.upperBound, bytes[lower] == marker {
            lower = endOfSeparators(endOfField(lower, line, bytes), line, bytes)
        }
        if syntax.separatorRuns { lower = endOfSeparators(lower, line, bytes) }
        if case .bytes(let count) = syntax.verb {
            return lower..<min(line.upperBound, lower + max(0, count))
        }
        return lower..<endOfField(lower, line, bytes)
    }

    /// Returns the command of a line.
    package func verb(of line: [UInt8]) -> [UInt8] {
        Array(line[verb(of: 0..<line.count, in: line.span)])
    }

    /// Returns the field at `index`; nil if there are not that many fields.
    ///
    /// - Parameter rest: the part of the line after the command.
    func field(_ index: Int, of rest: Range<Int>, in bytes: Span<UInt8>) -> Range<Int>? {
        var offset = rest.lowerBound
        // A command of a fixed length is followed directly by the first field.
        var isSeparated = true
        if case .bytes = syntax.verb { isSeparated = false }
        var seen = 0
        while offset < rest.upperBound {
            if syntax.separatorRuns {
                offset = endOfSeparators(offset, rest, bytes)
            } else if isSeparated {
                offset += 1
            }
            isSeparated = true
            let upper = endOfField(offset, rest, bytes)
            if seen == index { return offset..<upper }
            seen += 1
            offset = upper
        }
        return nil
    }

    private func endOfField(_ from: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var offset = from
        while offset < line.upperBound, !separators.contains(bytes[offset]) { offset += 1 }
        return offset
    }

    private func endOfSeparators(_ from: Int, _ line: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var offset = from
        while offset < line.upperBound, separators.contains(bytes[offset]) { offset += 1 }
        return offset
    }
}
