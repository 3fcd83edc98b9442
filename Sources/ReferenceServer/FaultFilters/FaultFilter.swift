import LineProtocol

/// A filter that applies faults to the lines received on one connection. Created only if a fault is
/// armed.
final class FaultFilter {
    /// Number of lines in one read above which the lines count as a flood.
    static let floodLines = 50

    private let faults: FaultInjector
    private let framing: Framing
    private let syntax: FieldSyntax
    private let splitter: LineSplitter
    /// True if the server no longer answers on this connection.
    private var isUnresponsive = false
    /// Complete lines that are held back until it is known whether the stream ends with an
    /// unfinished line.
    private var held: [EditableLine] = []

    init(_ dialect: Dialect, _ faults: FaultInjector) {
        self.faults = faults
        framing = dialect.framing
        syntax = dialect.syntax.fromClient
        splitter = LineSplitter(dialect, direction: .fromClient)
    }

    /// Returns a framer that preserves empty lines and the full length of overlong lines, as some
    /// faults require.
    static func framer(_ dialect: Dialect) -> LineFramer {
        var dialect = dialect
        dialect.framing.emptyLines = .message
        return LineFramer(dialect, direction: .fromClient)
    }

    /// Applies faults to lines that were read together, and returns the lines to execute.
    ///
    /// - Parameter hasRest: True if an unfinished line follows.
    func receive(_ units: [EditableLine], hasRest: Bool) -> [EditableLine] {
        var received = held
        held = []
        for unit in units { received += receive(unit) }
        if received.count > Self.floodLines {
            var count = 0
            received.removeAll { _ in
                count += 1
                return count > Self.floodLines && faults.shouldInject(.floodLoses)
            }
        }
        if received.count > 1, faults.isArmed(.pipelineReversed) { reverse(&received) }
        if hasRest, !received.isEmpty, faults.isArmed(.lostUnterminated) {
            held = received
            return []
        }
        return received
    }

    /// Returns the held-back lines to execute at the end of the stream.
    func end(hasRest: Bool) -> [EditableLine] {
        defer { held = [] }
        if hasRest, !held.isEmpty, faults.shouldInject(.lostUnterminated) { return [] }
        return held
    }

    private func receive(_ unit: EditableLine) -> [EditableLine] {
        guard !isUnresponsive, !makesUnresponsive(unit) else { return [] }
        if unit.line.isEmpty, unit.issue == nil, framing.emptyLines == .ignore { return [] }
        let isLoneLF = unit.terminator == .lf && framing.fromClient.terminator != .lf
        if isLoneLF, faults.shouldInject(.loneLFIgnored) { return [] }
        var unit = unit
        change(&unit.line)
        var units = [unit]
        if unit.line.contains(ASCII.cr), faults.shouldInject(.crInjects) {
            units = unit.line.split(separator: ASCII.cr).map { EditableLine(line: Array($0)) }
        }
        // If the overlong line itself closes the connection, nothing after it is executed.
        if !unit.tail.isEmpty, framing.fromClient.overflow != .close,
            faults.shouldInject(.tailRuns)
        {
            units.append(EditableLine(line: unit.tail))
        }
        return units
    }

    /// Swaps the first two adjacent lines with the same command. Lines with different commands keep
    /// their positions; otherwise a probe could overtake the lines sent before it, and checks that
    /// rely on probes would not work.
    private func reverse(_ units: inout [EditableLine]) {
        let verbs = units.map { verb($0.line) }
        let first = units.indices.dropLast().first { index in
            verbs[index] == verbs[index + 1] && units[index].line != units[index + 1].line
        }
        if let first, faults.shouldInject(.pipelineReversed) { units.swapAt(first, first + 1) }
    }

    private func verb(_ line: [UInt8]) -> [UInt8] {
        var split = SplitLine()
        splitter.split(line.span, 0..<line.count, into: &split)
        return Array(line[split.verb])
    }

    /// Returns whether the line makes the connection unresponsive.
    private func makesUnresponsive(_ unit: EditableLine) -> Bool {
        let isLong = if case .lineOverLimit = unit.issue { true } else { false }
        isUnresponsive =
            (unit.line.isEmpty && unit.issue == nil && faults.shouldInject(.emptyLinesDeafen))
            || (isWhitespace(unit.line) && faults.shouldInject(.whitespaceLinesDeafen))
            || (isLong && faults.shouldInject(.wedgeLongLine))
            || (isWrongLength(unit) && faults.shouldInject(.wrongLengthsDeafen))
            || (unit.line.contains(ASCII.nul) && faults.shouldInject(.nulDeafens))
        return isUnresponsive
    }

    private func isWhitespace(_ line: [UInt8]) -> Bool {
        !line.isEmpty && line.allSatisfy { $0 == ASCII.space || $0 == ASCII.tab }
    }

    private func isWrongLength(_ unit: EditableLine) -> Bool {
        switch unit.issue {
        case .payloadLengthInvalid, .payloadNotTerminated: true
        default: false
        }
    }

    private func change(_ line: inout [UInt8]) {
        if let index = line.firstIndex(of: ASCII.nul), faults.shouldInject(.nulTruncates) {
            line.removeSubrange(index...)
        }
        if let last = line.last, last == ASCII.space || last == ASCII.tab, spacesAreData,
            faults.shouldInject(.trailingSpacesLost)
        {
            while let last = line.last, last == ASCII.space || last == ASCII.tab {
                line.removeLast()
            }
        }
        if faults.isArmed(.badUTF8Replaced), String(validating: line, as: UTF8.self) == nil,
            faults.shouldInject(.badUTF8Replaced)
        {
            let mended = String(decoding: line, as: UTF8.self)
            line = Array(String(mended.map { $0 == "\u{FFFD}" ? "?" : $0 }).utf8)
        }
        if line.contains(where: isControl), faults.shouldInject(.controlsStripped) {
            line.removeAll(where: isControl)
        }
        if faults.isArmed(.emptyArgumentsDropped) { dropEmptyArgument(&line) }
    }

    /// True if trailing spaces belong to the message rather than being separators.
    private var spacesAreData: Bool {
        syntax.verb == .none || syntax.trailingMarker != nil
            || !syntax.separators.contains(ASCII.space)
    }

    private func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 || byte == 0x7F) && byte != ASCII.cr && byte != ASCII.nul && byte != ASCII.tab
            && !syntax.separators.contains(byte)
    }

    /// Removes the first empty argument, either between two separators or after a trailing marker.
    private func dropEmptyArgument(_ line: inout [UInt8]) {
        // A line that is only a message has no arguments, and JSON arguments are not separated by a
        // single byte.
        guard syntax.verb != .none, syntax.json == nil else { return }
        if let marker = syntax.trailingMarker, line.count > 2, line.last == marker,
            syntax.separators.contains(line[line.count - 2])
        {
            if faults.shouldInject(.emptyArgumentsDropped) { line.removeLast(2) }
            return
        }
        guard !syntax.separatorRuns, let separator = syntax.separators.first else { return }
        let index = line.indices.dropFirst().first {
            line[$0] == separator && line[$0 - 1] == separator
        }
        if let index, faults.shouldInject(.emptyArgumentsDropped) { line.remove(at: index) }
    }
}
