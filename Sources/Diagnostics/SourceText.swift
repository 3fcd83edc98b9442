/// A source file that diagnostics can refer to: its path, its bytes and its lines.
public struct SourceText: Sendable, Hashable {
    /// The maximum size in bytes. A longer text is truncated, and `isTruncated` is set.
    public static let bytesMax = 4 << 20

    /// The path to display; `-` for standard input.
    public let path: String
    /// The bytes that were read.
    public let bytes: [UInt8]
    /// Offset of the start of each line. The array is never empty.
    public let lineStarts: [Int]
    /// True if the text was longer than `bytesMax`.
    public let isTruncated: Bool
    /// The two sources joined into this one; empty for a single file.
    private let parts: [SourceText]

    /// Creates a source text and finds its lines, which end with LF or CR LF.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        isTruncated = bytes.count > Self.bytesMax
        let kept = isTruncated ? Array(bytes.prefix(Self.bytesMax)) : bytes
        self.bytes = kept
        var starts = [0]
        for (offset, byte) in kept.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(offset + 1)
        }
        lineStarts = starts
        parts = []
    }

    /// Joins two sources with an LF between them. Diagnostics in the second source show that
    /// source's path and line numbers.
    public init(_ first: SourceText, followedBy second: SourceText) {
        path = first.path
        isTruncated = first.isTruncated || second.isTruncated
        bytes = first.bytes + [UInt8(ascii: "\n")] + second.bytes
        let offset = first.bytes.count + 1
        lineStarts = first.lineStarts + second.lineStarts.map { $0 + offset }
        parts = [first, second]
    }

    /// The first file, without the sources appended to it.
    public var file: SourceText { parts.first?.file ?? self }

    /// The files that were joined into this source, in order.
    package var files: [SourceText] { parts.isEmpty ? [self] : parts.flatMap(\.files) }

    /// Returns the file that contains an offset, and the offset where that file starts in this
    /// source.
    public func file(at offset: Int) -> (file: SourceText, start: Int) {
        guard parts.count == 2 else { return (self, 0) }
        let start = parts[0].bytes.count + 1
        guard offset >= start else { return parts[0].file(at: offset) }
        let found = parts[1].file(at: offset - start)
        return (found.file, found.start + start)
    }

    /// Creates a source text from a string. For use in tests.
    public init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// Number of lines. A text that ends with LF has an empty last line.
    public var lineCount: Int { lineStarts.count }

    /// Returns the bytes in a range, clamped to the text.
    public func bytes(in range: SourceRange) -> ArraySlice<UInt8> {
        let start = clamp(range.start)
        return bytes[start..<max(start, clamp(range.end))]
    }

    /// Returns the range of a line, numbered from 1, without its line terminator.
    public func range(ofLine line: Int) -> SourceRange {
        let index = min(max(line, 1), lineCount) - 1
        let start = lineStarts[index]
        var end = index + 1 < lineCount ? lineStarts[index + 1] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return SourceRange(start: start, end: end)
    }

    /// Returns the number of the line that contains an offset. Lines are counted from 1.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = lineCount
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns the position of a byte offset, with the line and column to show to users.
    public func position(at offset: Int) -> SourcePosition {
        let offset = clamp(offset)
        let line = line(at: offset)
        let before = bytes[lineStarts[line - 1]..<offset]
        return SourcePosition(
            line: line, column: String(decoding: before, as: UTF8.self).count + 1, offset: offset)
    }

    /// Returns the offset for a line and a byte column, both counted from 1. If the column is past
    /// the end of the line, returns the end.
    public func offset(line: Int, byteColumn: Int) -> Int {
        let range = range(ofLine: line)
        return min(range.start + max(byteColumn, 1) - 1, range.end)
    }

    private func clamp(_ offset: Int) -> Int { min(max(offset, 0), bytes.count) }
}

extension SourceText: CustomStringConvertible {
    /// The path. The text is omitted, because it would be too long for a debug dump.
    public var description: String { path }
}
