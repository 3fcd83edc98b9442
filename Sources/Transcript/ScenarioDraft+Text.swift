import Diagnostics
import LineProtocol
import Scenario

/// Converts steps to text.
extension ScenarioDraft {
    /// Minimum duration of a pause that appears in the text, in nanoseconds.
    private static var pauseMin: Int64 { 1_000_000_000 }
    /// Response time from which an answer counts as slow and gets a longer timeout, in nanoseconds.
    private static var slowMin: Int64 { 3_000_000_000 }

    /// Returns the text of the scenario.
    ///
    /// - Parameter isLoose: True to compare only commands in expectations. A run of the resulting
    ///   text shows which values vary.
    package func text(isLoose: Bool = false) -> String {
        let text = rows(isLoose: isLoose).map(\.text).joined(separator: "\n") + "\n"
        return (try? ScenarioFormatter.format(SourceText(path: "", text: text))) ?? text
    }

    /// Returns the line number of each step in the text, starting at 1.
    func stepLines(isLoose: Bool) -> [Int] {
        var lines = Array(repeating: 0, count: steps.count)
        for (number, row) in rows(isLoose: isLoose).enumerated() {
            if let step = row.step { lines[step] = number + 1 }
        }
        return lines
    }

    private struct Row {
        var text: String
        var step: Int?
    }

    private func rows(isLoose: Bool) -> [Row] {
        var rows: [Row] = []
        var last: Int64 = steps.first?.time ?? 0
        var barrier = Barrier(hasProbe: hasProbe)
        let departures = departures
        for (index, step) in steps.enumerated() {
            if let waitedFor = barrier.before(
                step, isDeparture: departures.contains(index))
            {
                let names = waitedFor.map { operators[$0] }.joined(separator: ", ")
                rows.append(Row(text: "sync \(names)"))
            }
            if case .probeAnswer = step.kind { continue }
            let pause = step.time - last
            last = step.time
            let isSlow: Bool
            if case .expect = step.kind { isSlow = pause >= Self.slowMin } else { isSlow = false }
            if pause >= Self.pauseMin, !isSlow {
                rows.append(Row(text: ""))
                rows.append(Row(text: pauseText(pause)))
            }
            var text = self.text(step.kind, isLoose: isLoose)
            if case .comment = step.kind {
                rows.append(Row(text: text, step: index))
                continue
            }
            text = "\(operators[step.actor]) \(text)"
            if isSlow { text += "  within \(pause / 500_000_000)s" }
            rows.append(Row(text: text, step: index))
        }
        return header(over: rows).map { Row(text: $0) } + rows
    }

    /// Indices of the operators' last `send` steps, if the server closes the connection afterwards
    /// or the operator logs out. After such a step, the operator cannot send probes. Logouts count
    /// even without a recorded close by the server, because the close may have been recorded much
    /// later, or as a close by the client.
    private var departures: Set<Int> {
        var departures: Set<Int> = []
        var closed: Set<Int> = []
        var senders: Set<Int> = []
        for (index, step) in steps.enumerated().reversed() {
            switch step.kind {
            case .closed: closed.insert(step.actor)
            case .send(let line):
                guard senders.insert(step.actor).inserted else { continue }
                if closed.contains(step.actor) || isLogout(line.line) { departures.insert(index) }
            default: break
            }
        }
        return departures
    }

    private func isLogout(_ line: RecordedLine) -> Bool {
        line.command != nil && line.command == logoutCommand
    }

    /// State that determines where barriers are needed. Lines on different connections can overtake
    /// each other, so a barrier is needed if one operator's line has not been answered when another
    /// operator sends.
    private struct Barrier {
        let hasProbe: Bool
        private var unanswered: [Int] = []
        private var served: Set<Int> = []

        init(hasProbe: Bool) { self.hasProbe = hasProbe }

        /// Returns the operators to wait for before the step; nil if there are none.
        mutating func before(_ step: Step, isDeparture: Bool) -> [Int]? {
            switch step.kind {
            case .expect:
                served.insert(step.actor)
                unanswered = []
            case .send:
                let others = unanswered.filter { $0 != step.actor }
                defer { if isDeparture { unanswered.removeAll { $0 == step.actor } } }
                if hasProbe, !others.isEmpty {
                    unanswered = [step.actor]
                    return others
                }
                if served.contains(step.actor), !unanswered.contains(step.actor) {
                    unanswered.append(step.actor)
                }
            case .probeAnswer:
                served.insert(step.actor)
                unanswered.removeAll { $0 == step.actor }
            case .close, .abort, .closed, .halfClose:
                unanswered.removeAll { $0 == step.actor }
                served.remove(step.actor)
            case .connect, .startTLS, .comment: break
            }
            return nil
        }
    }

    private func pauseText(_ pause: Int64) -> String {
        let tenths = pause / 100_000_000
        let time = tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        return options.keepsPauses ? "wait \(time)" : "# \(time) later"
    }

    /// Longest timeout that a scenario may set: one day.
    private static let timeoutSecondsMax: Int64 = 86_400

    private func header(over body: [Row]) -> [String] {
        var rows = ["title \(options.title)", "dialect \(options.dialect ?? dialect.name)"]
        let names = operators.filter { !$0.isEmpty }
        if !names.isEmpty { rows.append("operators \(names.joined(separator: ", "))") }
        rows += secrets.names(in: body.map(\.text)).map { "secret \($0)" }
        if let end = steps.last?.time, end > 30_000_000_000 {
            let seconds = min(2 * (end / 1_000_000_000), Self.timeoutSecondsMax)
            rows.append("timeout file \(seconds)s")
        }
        rows.append("")
        if !replies.rules.isEmpty { rows += replies.rules + [""] }
        return rows
    }

    private func text(_ kind: Kind, isLoose: Bool) -> String {
        switch kind {
        case .connect: "connect"
        case .startTLS: "starttls"
        case .close: "close"
        case .halfClose: "half-close"
        case .abort: "abort"
        // Whether the server closes the connection with FIN or RST can depend on unread data.
        case .closed(isReset: true) where !isLoose && !options.comparesOccurrences:
            "closed by reset"
        case .closed: "closed"
        case .send(let line): "-> \(sent(line))"
        case .expect(let line): "<- \(expected(line, isLoose: isLoose || line.isLoose))"
        case .comment(let text): "# \(text)"
        case .probeAnswer: ""
        }
    }

    private func sent(_ line: Line) -> String {
        let recorded = line.line
        guard recorded.isRegular else {
            return secrets.string(
                recorded.bytes + recorded.terminator + (recorded.payload ?? []))
        }
        if let call = blockCall(line) { return call }
        var pieces: [ScenarioSpelling.Piece] = []
        var offset = 0
        append(line, to: &pieces, from: &offset, isLoose: false, comparedMax: nil)
        pieces.append(.bytes(Array(recorded.bytes[offset...])))
        return secrets.wireText(pieces) + payload(line)
    }

    private func expected(_ line: Line, isLoose: Bool) -> String {
        let recorded = line.line
        guard recorded.isRegular else {
            return secrets.string(recorded.bytes + recorded.terminator)
        }
        let comparedMax = isLoose ? lastCapture(line) + 1 : line.comparedMax
        if let call = blockCall(line)
            ?? expectedCall(line, isLoose: isLoose, comparedMax: comparedMax)
        {
            return call
        }
        var pieces: [ScenarioSpelling.Piece] = []
        var offset = 0
        if recorded.source != nil || recorded.tags != nil { offset = recorded.verb.lowerBound }
        if let range = recorded.source, let source = line.source, !isLoose {
            pieces.append(.bytes(Array(recorded.bytes[(range.lowerBound - 1)..<range.lowerBound])))
            pieces += source
            pieces.append(.bytes(Array(recorded.bytes[range.upperBound..<offset])))
        }
        append(line, to: &pieces, from: &offset, isLoose: isLoose, comparedMax: comparedMax)
        // In a JSON object, placeholders replace values that are not compared.
        if !isJSON, let comparedMax, comparedMax < line.fields.count {
            let next = comparedMax == 0 ? recorded.verb.upperBound : offset
            pieces.append(.bytes(Array(recorded.bytes[offset..<max(offset, next)])))
            // In a dialect without commands, the line starts with its only field.
            if dialect.syntax.fromServer.verb != .none {
                pieces.append(.bytes(separator(recorded)))
            }
            pieces.append(.placeholder("{{...}}"))
        } else {
            pieces.append(.bytes(Array(recorded.bytes[offset...])))
        }
        return secrets.wireText(pieces) + (isLoose ? "" : payload(line))
    }

    private var isJSON: Bool { dialect.syntax.fromServer.json != nil }

    private func separator(_ line: RecordedLine) -> [UInt8] {
        guard let field = line.fields.first, field.range.lowerBound > line.verb.upperBound else {
            return [0x20]
        }
        return [line.bytes[line.verb.upperBound]]
    }

    private func lastCapture(_ line: Line) -> Int {
        line.fields.lastIndex { if case .capture = $0 { true } else { false } } ?? -1
    }

    /// Appends the line up to and including the last field to compare.
    private func append(
        _ line: Line, to pieces: inout [ScenarioSpelling.Piece], from offset: inout Int,
        isLoose: Bool, comparedMax: Int?
    ) {
        let recorded = line.line
        for (index, field) in recorded.fields.enumerated() {
            let isCompared = comparedMax.map { index < $0 } ?? true
            if !isCompared, !isJSON { return }
            let before = Array(recorded.bytes[offset..<max(offset, field.range.lowerBound)])
            pieces.append(.bytes(before))
            offset = field.range.upperBound
            switch line.fields[index] {
            case .capture(let name), .variable(let name): pieces.append(.placeholder("{{\(name)}}"))
            case .literal where isLoose || !isCompared, .pieces where isLoose || !isCompared:
                pieces.append(.placeholder("{{_}}"))
            case .literal: pieces.append(.bytes(recorded.value(field)))
            case .pieces(let varied): pieces += varied
            }
        }
    }

    private func payload(_ line: Line) -> String {
        guard let payload = line.line.payload else { return "" }
        // Every frame with headers has a body, which is empty if the command takes none.
        let isSent = line.line.direction == .fromClient
        if isSent, payload.isEmpty, !takesPayload(line.line) { return "" }
        if case .pieces = line.payload { return "  payload \"{{_}}\"" }
        return "  payload \(secrets.string(payload))"
    }
}
