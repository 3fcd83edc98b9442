import LineProtocol
import Scenario

/// Replaces numbers from the server that differ when the server restarts.
extension ScenarioDraft {
    /// Replaces numbers in sentences from the server, such as `There are 5 users`, with
    /// placeholders unless a client has sent them before. A counter may change when the server
    /// restarts, even if it was the same in all replays.
    mutating func replaceCounters() {
        var sent: Set<[UInt8]> = []
        change { _, line in
            for (field, part) in line.line.fields.enumerated() {
                let value = line.line.value(part)
                if line.line.direction == .fromClient {
                    sent.formUnion(value.split(separator: 0x20).map { Array($0) })
                    continue
                }
                guard let pieces = line.fields[field].pieces(of: value) else { continue }
                if let found = SentenceCounters.replaced(in: value, pieces, except: sent) {
                    line.fields[field] = .pieces(found)
                }
            }
        }
    }

    /// Replaces the servers' ports with placeholders in what servers send, such as
    /// `irc.example.test[127.0.0.1/6667]`.
    mutating func replaceServerPorts(_ ports: Set<UInt16>) {
        let texts = Set(ports.map { Array(String($0).utf8) })
        change { _, line in
            guard line.line.direction == .fromServer else { return }
            for (field, part) in line.line.fields.enumerated() {
                guard let pieces = line.fields[field].pieces(of: line.line.value(part)) else {
                    continue
                }
                let replaced = pieces.flatMap { Self.replaceNumbers(texts, in: $0) }
                let joined = FieldVariants.joined(replaced)
                if joined != FieldVariants.joined(pieces) { line.fields[field] = .pieces(joined) }
            }
        }
    }

    private static func replaceNumbers(
        _ numbers: Set<[UInt8]>, in piece: ScenarioSpelling.Piece
    ) -> [ScenarioSpelling.Piece] {
        guard case .bytes(let bytes) = piece else { return [piece] }
        var result: [ScenarioSpelling.Piece] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(where: ASCII.isDigit) {
            let digits = rest[start...].prefix(while: ASCII.isDigit)
            let isWanted = numbers.contains(Array(digits))
            result.append(.bytes(Array(rest[..<(isWanted ? start : digits.endIndex)])))
            if isWanted { result.append(.placeholder("{{_:int}}")) }
            rest = rest[digits.endIndex...]
        }
        return result + [.bytes(Array(rest))]
    }
}

extension ScenarioDraft.Content {
    /// Returns the pieces of a field's text; nil if it is a variable.
    fileprivate func pieces(of value: [UInt8]) -> [ScenarioSpelling.Piece]? {
        switch self {
        case .literal: [.bytes(value)]
        case .pieces(let pieces): pieces
        case .variable, .capture: nil
        }
    }
}
