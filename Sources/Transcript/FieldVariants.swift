import LineProtocol
import Scenario

/// A comparison of values from different runs, to find their common parts.
enum FieldVariants {
    private static let space: UInt8 = 0x20

    /// Returns the common parts of the values, with placeholders for the other parts; nil if all
    /// values are equal.
    static func pieces(_ values: [[UInt8]]) -> [ScenarioSpelling.Piece]? {
        guard let first = values.first, values.contains(where: { $0 != first }) else { return nil }
        let words = values.map { $0.split(separator: space, omittingEmptySubsequences: false) }
        guard let count = words.first?.count, words.allSatisfy({ $0.count == count }), count > 1
        else { return word(values) }
        var pieces: [ScenarioSpelling.Piece] = []
        for index in 0..<count {
            if index > 0 { pieces.append(.bytes([space])) }
            let variants = words.map { Array($0[index]) }
            pieces += word(variants)
        }
        return joined(pieces)
    }

    /// Returns the common start and end of the values, with a placeholder between them. The
    /// placeholder replaces whole words and numbers.
    private static func word(_ values: [[UInt8]]) -> [ScenarioSpelling.Piece] {
        guard let first = values.first, values.contains(where: { $0 != first }) else {
            return [.bytes(values.first ?? [])]
        }
        var start = 0
        while values.allSatisfy({ start < $0.count && $0[start] == first[start] }) { start += 1 }
        while start > 0, isWordByte(first[start - 1]) { start -= 1 }
        let room = (values.map(\.count).min() ?? 0) - start
        var end = 0
        while end < room,
            values.allSatisfy({ $0[$0.count - 1 - end] == first[first.count - 1 - end] })
        { end += 1 }
        while end > 0, isWordByte(first[first.count - end]) { end -= 1 }
        let middles = values.map { Array($0[start..<($0.count - end)]) }
        return joined([
            .bytes(Array(first[..<start])), .placeholder(placeholder(middles)),
            .bytes(Array(first[(first.count - end)...])),
        ])
    }

    private static func placeholder(_ values: [[UInt8]]) -> String {
        let areNumbers = values.allSatisfy { value in
            !value.isEmpty && value.count <= 18 && value.allSatisfy(ASCII.isDigit)
        }
        if areNumbers { return "{{_:int}}" }
        let areWords = values.allSatisfy { !$0.isEmpty && !$0.contains(space) }
        return areWords ? "{{_:word}}" : "{{_}}"
    }

    /// Removes empty pieces and joins adjacent pieces that consist of bytes.
    static func joined(_ pieces: [ScenarioSpelling.Piece]) -> [ScenarioSpelling.Piece] {
        var result: [ScenarioSpelling.Piece] = []
        for piece in pieces {
            if case .bytes(let bytes) = piece {
                if bytes.isEmpty { continue }
                if case .bytes(let before) = result.last {
                    result[result.count - 1] = .bytes(before + bytes)
                    continue
                }
            }
            result.append(piece)
        }
        return result
    }
}
