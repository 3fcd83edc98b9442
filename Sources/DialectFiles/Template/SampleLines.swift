import LineProtocol

/// The lines of a captured sample, with their directions if the sample shows them.
struct SampleLines {
    /// Maximum number of bytes examined.
    static let bytesMax = 4 << 20
    /// Maximum number of lines examined.
    static let linesMax = 20_000

    /// A sampled line and its sender.
    struct Line {
        var bytes: [UInt8]
        /// The side that sent the line; nil if unknown.
        var direction: Direction?
    }

    private(set) var lines: [Line] = []
    /// Number of occurrences of each terminator, most frequent first.
    private(set) var terminators: [(terminator: Terminator, count: Int)] = []

    /// Markers at the start of a line that show which side sent it.
    private static let marks: [(mark: String, direction: Direction)] = [
        ("->", .fromClient), ("<-", .fromServer), ("C:", .fromClient), ("S:", .fromServer),
        (">>", .fromClient), ("<<", .fromServer), ("> ", .fromClient), ("< ", .fromServer),
    ]

    init(_ bytes: [UInt8]) {
        let bytes = Array(bytes.prefix(Self.bytesMax))
        terminators = Self.count(bytes)
        guard let terminator = terminators.first?.terminator else {
            if !bytes.isEmpty { lines = [Line(bytes: bytes)] }
            return
        }
        cut(bytes, at: terminator)
        takeMarks()
    }

    /// Counts the terminators. The bytes of a longer terminator do not also count as shorter ones.
    private static func count(_ bytes: [UInt8]) -> [(terminator: Terminator, count: Int)] {
        var counts: [Terminator: Int] = [:]
        var at = 0
        while at < bytes.count {
            let next = at + 1 < bytes.count ? bytes[at + 1] : nil
            var found: Terminator?
            switch (bytes[at], next) {
            case (ASCII.cr, ASCII.lf): found = .crlf
            case (ASCII.lf, ASCII.cr): found = .lfcr
            case (ASCII.cr, ASCII.nul): found = .crnul
            case (ASCII.lf, _): found = .lf
            case (ASCII.cr, _): found = .cr
            case (ASCII.nul, _): found = .nul
            default: break
            }
            if let found { counts[found, default: 0] += 1 }
            at += found?.count ?? 1
        }
        return counts.map { ($0.key, $0.value) }.sorted {
            ($1.1, $0.0.name) < ($0.1, $1.0.name)
        }
    }

    private mutating func cut(_ bytes: [UInt8], at terminator: Terminator) {
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            let isEnd =
                byte == terminator.last
                && (terminator.first == nil
                    || line.dropLast().last == terminator.first)
            guard isEnd else { continue }
            line.removeLast(terminator.count)
            if !line.isEmpty { lines.append(Line(bytes: line)) }
            line = []
            if lines.count == Self.linesMax { return }
        }
        if !line.isEmpty { lines.append(Line(bytes: line)) }
    }

    /// Removes direction markers such as `-> ` or `C: ` if every line has one.
    private mutating func takeMarks() {
        func mark(_ line: Line) -> (mark: String, direction: Direction)? {
            Self.marks.first { line.bytes.starts(with: $0.mark.utf8) }
        }
        guard !lines.isEmpty, lines.allSatisfy({ mark($0) != nil }) else { return }
        lines = lines.map { line in
            guard let found = mark(line) else { return line }
            var bytes = line.bytes.dropFirst(found.mark.utf8.count)
            if bytes.first == ASCII.space { bytes = bytes.dropFirst() }
            return Line(bytes: Array(bytes), direction: found.direction)
        }
    }
}
