import LineProtocol

/// One connection's ear that does what the faults say with the lines of a stream. There is one only where
/// a fault is armed.
final class FaultFilter {
    /// So many lines that come together are a flood.
    static let floodLines = 50

    private let faults: FaultInjector
    private let framing: Framing
    private let syntax: FieldSyntax
    private let splitter: LineSplitter
    /// Whether nothing is answered any more.
    private var isDeaf = false
    /// Whole lines that wait to see whether the stream ends with a part of a line.
    private var held: [HeardUnit] = []

    init(_ dialect: Dialect, _ faults: FaultInjector) {
        self.faults = faults
        framing = dialect.framing
        syntax = dialect.syntax
        splitter = LineSplitter(dialect)
    }

    /// A framer that keeps what faults need to see: long lines whole, and empty ones.
    static func framer(_ dialect: Dialect) -> LineFramer {
        var dialect = dialect
        dialect.framing.emptyLines = .message
        return LineFramer(dialect, direction: .fromClient)
    }

    /// The lines that are carried out of those that were read together.
    ///
    /// - Parameter hasRest: whether a part of a line follows them.
    func hear(_ units: [HeardUnit], hasRest: Bool) -> [HeardUnit] {
        var heard = held
        held = []
        for unit in units { heard += hear(unit) }
        if heard.count > Self.floodLines {
            var count = 0
            heard.removeAll { _ in
                count += 1
                return count > Self.floodLines && faults.strikes(.floodLoses)
            }
        }
        if heard.count > 1, faults.isArmed(.pipelineReversed) { reverse(&heard) }
        if hasRest, !heard.isEmpty, faults.isArmed(.lostUnterminated) {
            held = heard
            return []
        }
        return heard
    }

    /// What is carried out at the stream's end of what was held back.
    func end(hasRest: Bool) -> [HeardUnit] {
        defer { held = [] }
        if hasRest, !held.isEmpty, faults.strikes(.lostUnterminated) { return [] }
        return held
    }

    private func hear(_ unit: HeardUnit) -> [HeardUnit] {
        guard !isDeaf, !deafens(unit) else { return [] }
        if unit.line.isEmpty, unit.issue == nil, framing.emptyLines == .ignore { return [] }
        let isLoneLF = unit.terminator == .lf && framing.fromClient.terminator != .lf
        if isLoneLF, faults.strikes(.loneLFIgnored) { return [] }
        var unit = unit
        change(&unit.line)
        var units = [unit]
        if unit.line.contains(ASCII.cr), faults.strikes(.crInjects) {
            units = unit.line.split(separator: ASCII.cr).map { HeardUnit(line: Array($0)) }
        }
        if !unit.tail.isEmpty, faults.strikes(.tailRuns) {
            units.append(HeardUnit(line: unit.tail))
        }
        return units
    }

    /// Exchanges the first two neighbouring lines of the same command. A line of another command stays in its
    /// position: otherwise a probe would overtake what it waits for, and nothing that rests on probes would hold.
    private func reverse(_ units: inout [HeardUnit]) {
        let verbs = units.map { verb($0.line) }
        let first = units.indices.dropLast().first { index in
            verbs[index] == verbs[index + 1] && units[index].line != units[index + 1].line
        }
        if let first, faults.strikes(.pipelineReversed) { units.swapAt(first, first + 1) }
    }

    private func verb(_ line: [UInt8]) -> [UInt8] {
        var split = SplitLine()
        splitter.split(line.span, 0..<line.count, into: &split)
        return Array(line[split.verb])
    }

    /// Whether the line is one after which nothing is heard any more.
    private func deafens(_ unit: HeardUnit) -> Bool {
        let isLong = if case .lineOverLimit = unit.issue { true } else { false }
        isDeaf =
            (unit.line.isEmpty && unit.issue == nil && faults.strikes(.emptyLinesDeafen))
            || (isBlank(unit.line) && faults.strikes(.blankLinesDeafen))
            || (isLong && faults.strikes(.wedgeLongLine))
            || (isWrongLength(unit) && faults.strikes(.wrongLengthsDeafen))
            || (unit.line.contains(ASCII.nul) && faults.strikes(.nulDeafens))
        return isDeaf
    }

    private func isBlank(_ line: [UInt8]) -> Bool {
        !line.isEmpty && line.allSatisfy { $0 == ASCII.blank || $0 == ASCII.tab }
    }

    private func isWrongLength(_ unit: HeardUnit) -> Bool {
        switch unit.issue {
        case .payloadLengthInvalid, .payloadNotTerminated: true
        default: false
        }
    }

    private func change(_ line: inout [UInt8]) {
        if let place = line.firstIndex(of: ASCII.nul), faults.strikes(.nulTruncates) {
            line.removeSubrange(place...)
        }
        if let last = line.last, last == ASCII.blank || last == ASCII.tab, blanksAreData,
            faults.strikes(.trailingBlanksEaten)
        {
            while let last = line.last, last == ASCII.blank || last == ASCII.tab {
                line.removeLast()
            }
        }
        if faults.isArmed(.badUTF8Replaced), String(validating: line, as: UTF8.self) == nil,
            faults.strikes(.badUTF8Replaced)
        {
            let mended = String(decoding: line, as: UTF8.self)
            line = Array(String(mended.map { $0 == "\u{FFFD}" ? "?" : $0 }).utf8)
        }
        if line.contains(where: isControl), faults.strikes(.controlsStripped) {
            line.removeAll(where: isControl)
        }
        if faults.isArmed(.emptyArgumentsDropped) { dropEmptyArgument(&line) }
    }

    /// Whether a blank at a line's end belongs to a text, and does not separate it from nothing.
    private var blanksAreData: Bool {
        syntax.verb == .none || syntax.trailingMarker != nil
            || !syntax.separators.contains(ASCII.blank)
    }

    private func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 || byte == 0x7F) && byte != ASCII.cr && byte != ASCII.nul && byte != ASCII.tab
            && !syntax.separators.contains(byte)
    }

    /// Takes the first empty argument out: between two separators, or behind a trailing marker.
    private func dropEmptyArgument(_ line: inout [UInt8]) {
        // A line that is nothing but a text has no arguments.
        guard syntax.verb != .none else { return }
        if let marker = syntax.trailingMarker, line.count > 2, line.last == marker,
            syntax.separators.contains(line[line.count - 2])
        {
            if faults.strikes(.emptyArgumentsDropped) { line.removeLast(2) }
            return
        }
        guard !syntax.separatorRuns, let separator = syntax.separators.first else { return }
        let place = line.indices.dropFirst().first {
            line[$0] == separator && line[$0 - 1] == separator
        }
        if let place, faults.strikes(.emptyArgumentsDropped) { line.remove(at: place) }
    }
}
