import LineProtocol
import Results
import Session

/// The answer shapes seen so far. A shape consists of the command and the number and kinds of its
/// arguments. Inputs that produce a new shape are kept.
struct FuzzShapes: Sendable {
    static let shapesMax = 10_000
    /// Maximum number of arguments that contribute to a shape.
    private static let argumentsMax = 6

    private let splitter: LineSplitter
    private(set) var seen: Set<[UInt8]> = []

    init(_ dialect: Dialect) { splitter = LineSplitter(dialect, direction: .fromServer) }

    /// Records the shapes of received lines. Returns whether any of them is new.
    mutating func note(_ transcript: [TranscriptEntry]) -> Bool {
        var isNew = false
        for entry in transcript {
            let shape: [UInt8]
            switch entry.kind {
            case .received where entry.role != .probe:
                shape = [entry.operatorName.utf8.first ?? 0] + self.shape(entry.bytes)
            case .closedByPeer: shape = Array("closed".utf8)
            case .resetByPeer: shape = Array("reset".utf8)
            default: continue
            }
            guard seen.count < Self.shapesMax else { return isNew }
            if seen.insert(shape).inserted { isNew = true }
        }
        return isNew
    }

    func shape(_ line: [UInt8]) -> [UInt8] {
        var split = SplitLine()
        splitter.split(line.span, 0..<line.count, into: &split)
        var shape = Array(line[split.verb].prefix(16))
        shape.append(ASCII.space)
        var count = 0
        for field in split.fields {
            if count < Self.argumentsMax { shape.append(Self.kind(line[field.range])) }
            count += 1
        }
        shape += Array(String(min(count, 20)).utf8)
        return shape
    }

    private static func kind(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        if bytes.isEmpty { return UInt8(ascii: "e") }
        if bytes.allSatisfy(ASCII.isDigit) { return UInt8(ascii: "n") }
        if bytes.contains(where: { $0 < 0x20 || $0 >= 0x7F }) { return UInt8(ascii: "b") }
        return bytes.contains(ASCII.space) ? UInt8(ascii: "t") : UInt8(ascii: "w")
    }
}
