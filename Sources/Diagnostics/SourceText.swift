/// A text that somebody wrote, with its path: what diagnostics point into.
public struct SourceText: Sendable, Hashable {
    /// The most bytes that are kept of one text; what lies beyond is dropped and `isTruncated` set.
    public static let bytesMax = 4 << 20

    /// The path as it is to be shown; `-` for standard input.
    public let path: String
    /// The bytes as they were read.
    public let bytes: [UInt8]
    /// The offset at which each line starts; never empty.
    public let lineStarts: [Int]
    /// Whether the text was longer than `bytesMax`.
    public let isTruncated: Bool

    /// Takes a text and finds its lines (LF, or CR LF).
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
    }

    /// Takes a text that is a Swift string, as tests do.
    public init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    /// How many lines there are; a text that ends in LF has an empty last one.
    public var lineCount: Int { lineStarts.count }

    /// The bytes of a range; what lies outside the text is left out.
    public func bytes(in range: SourceRange) -> ArraySlice<UInt8> {
        let start = clamp(range.start)
        return bytes[start..<max(start, clamp(range.end))]
    }

    /// The range of a line (counted from 1) without its line end.
    public func range(ofLine line: Int) -> SourceRange {
        let index = min(max(line, 1), lineCount) - 1
        let start = lineStarts[index]
        var end = index + 1 < lineCount ? lineStarts[index + 1] - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return SourceRange(start: start, end: end)
    }

    /// The line (counted from 1) in which an offset lies.
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = lineCount
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Where an offset is for a person: line, and column in characters.
    public func position(at offset: Int) -> SourcePosition {
        let offset = clamp(offset)
        let line = line(at: offset)
        let before = bytes[lineStarts[line - 1]..<offset]
        return SourcePosition(
            line: line, column: String(decoding: before, as: UTF8.self).count + 1, offset: offset)
    }

    /// The offset of a line and a byte column (both from 1), held inside that line.
    public func offset(line: Int, byteColumn: Int) -> Int {
        let range = range(ofLine: line)
        return min(range.start + max(byteColumn, 1) - 1, range.end)
    }

    private func clamp(_ offset: Int) -> Int { min(max(offset, 0), bytes.count) }
}

extension SourceText: CustomStringConvertible {
    /// The path; the text would be too long where a value is dumped.
    public var description: String { path }
}
