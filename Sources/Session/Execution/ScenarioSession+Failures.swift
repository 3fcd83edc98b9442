import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Failure messages: what was expected, what arrived and when, and which rule of the specification
/// was violated.
extension ScenarioSession {
    /// Maximum number of characters of a received line shown in a label.
    static var shownMax: Int { 160 }
    /// Maximum number of bytes of a received line processed for a label.
    static var shownBytesMax: Int { 64 << 10 }

    func shown(_ line: ReceivedLine) -> String { shown(line.bytes) }

    func shown(_ bytes: [UInt8]) -> String {
        // Mask before truncating, because a truncated secret would not be recognised.
        let text = recorder.masked(escapedForDisplay(bytes.prefix(Self.shownBytesMax)))
        return text.count > Self.shownMax ? text.prefix(Self.shownMax) + "…" : text
    }

    /// Describes a received line: `received "…" 3.1 ms after the send on line 16`.
    func received(_ line: ReceivedLine) -> String {
        var text = "received \"\(shown(line))\""
        if line.isUnterminated {
            text += line.payload == nil ? " without a line ending" : " and part of its payload"
        }
        guard let lastSend, line.time >= lastSend.time else { return text }
        let delay = duration(line.time - lastSend.time)
        return text + " \(delay) after the send on line \(lastSend.line)"
    }

    mutating func mismatchFailure(
        _ mismatch: Mismatch, _ pattern: LinePattern, _ line: ReceivedLine, _ index: Int
    ) -> StepFailure {
        let source = program.instructions[counter].origin.source
        let written = recorder.masked(
            String(decoding: source.bytes(in: mismatch.range), as: UTF8.self))
        var message: String
        if mismatch.isOtherCommand {
            message = "expected \(described(written)), got \(described(line))"
        } else {
            let expected = mismatch.expected == "{pattern}" ? written : mismatch.expected
            message = "expected \(recorder.masked(expected))"
            if !mismatch.part.isEmpty {
                message += " \(mismatch.part)"
                if let name = commandLabel(line) { message += " of \(name)" }
            }
            message += ", got \(recorder.masked(mismatch.got))"
        }
        var failure = StepFailure(
            code: "run.mismatch", message: message, range: mismatch.range, label: received(line),
            entry: line.entry)
        // Do not show a difference that is inside a secret, because part of a secret would not be
        // masked.
        let isShownWhole =
            recorder.masked(mismatch.expected + mismatch.got)
            == mismatch.expected + mismatch.got
        if let difference = mismatch.firstDifference, isShownWhole {
            failure.notes.append(DiagnosticNote(.note, difference))
        }
        return failure
    }

    func timeoutFailure(_ index: Int, _ pattern: LinePattern, _ waited: Int64) -> StepFailure {
        StepFailure(
            code: "run.timeout",
            message: "expected \(described(recorder.masked(pattern.text))) within "
                + "\(duration(waited)), but it did not arrive",
            range: pattern.range, label: arrivals([index]))
    }

    func notClosedFailure(_ index: Int, _ waited: Int64) -> StepFailure {
        StepFailure(
            code: "run.not-closed",
            message: "expected the server to close \(operators[index].name)'s connection within "
                + "\(duration(waited)), but it is still open",
            label: arrivals([index]))
    }

    /// Returns the failure for a line that matches but is incomplete because the connection ended.
    func unterminatedFailure(
        _ line: ReceivedLine, _ pattern: LinePattern, _ index: Int
    ) -> StepFailure {
        let part = line.payload == nil ? "line" : "payload"
        return StepFailure(
            code: "run.unterminated",
            message: "expected \(described(recorder.masked(pattern.text))), but "
                + "\(operators[index].name)'s connection ended before the \(part) was complete",
            range: pattern.range, label: received(line), entry: line.entry)
    }

    // MARK: Received lines

    /// Describes what each operator has received since it last consumed a line, and which line of
    /// the scenario last sent something:
    /// `3 other lines skipped for alice, last: "…", last send on line 5`.
    func arrivals(_ indices: [Int]) -> String {
        var parts = indices.compactMap { arrival($0) }
        if parts.isEmpty {
            let names = indices.map { operators[$0].name }
            parts = ["nothing arrived for \(names.joined(separator: " and "))"]
        }
        if let lastSend { parts.append("last send on line \(lastSend.line)") }
        return parts.joined(separator: ", ")
    }

    private func arrival(_ index: Int) -> String? {
        let op = operators[index]
        var parts: [String] = []
        if let last = op.skippedLines.last {
            let count = op.skippedLines.count
            parts.append(
                "\(count) other line\(count == 1 ? "" : "s") skipped for \(op.name), "
                    + "last: \"\(shown(last))\"")
        }
        // When the timeout expires, the buffer may still contain complete lines. Skip them.
        var framer = op.framer
        while framer.next() != nil {}
        let rest = framer.unfinishedBytes
        if rest > 0 {
            let excerpt = shown(Array(framer.buffer.suffix(framer.heldBytes)))
            let what =
                framer.isInPayload
                ? "of a line with an incomplete payload" : "without a line ending"
            parts.append(
                "\(rest) byte\(rest == 1 ? "" : "s") \(what) for \(op.name): \"\(excerpt)\"")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    mutating func refusalFailure(
        _ line: ReceivedLine, _ pattern: LinePattern, _ index: Int
    ) -> StepFailure {
        StepFailure(
            code: "run.refused",
            message:
                "expected \(described(recorder.masked(pattern.text))), but the server refused it "
                + "with \(described(line))",
            range: pattern.range, label: received(line), entry: line.entry)
    }

    func closedFailure(
        _ index: Int, _ manner: ClosingManner, _ when: String, _ range: SourceRange? = nil
    ) -> StepFailure {
        let name = operators[index].name
        let how = manner == .fin ? "closed" : "reset"
        var label = "the server \(how) \(name)'s connection"
        if let last = recorder.entries.last(where: {
            $0.operatorName == name && $0.kind == .received
        }) {
            label = "the last line was \"\(shown(last.bytes))\""
            if let line = operators[index].skippedLines.last, line.isUnterminated {
                label = received(line)
            }
        }
        return StepFailure(
            code: "run.closed", message: "the server \(how) \(name)'s connection \(when)",
            range: range, label: label,
            notes: operators[index].closeReason.map {
                [DiagnosticNote(.note, recorder.masked($0))]
            } ?? [])
    }

    /// Returns a command with its name in the dialect, such as `433 (nickname in use)`.
    private func described(_ written: String) -> String {
        let bytes = Array(written.utf8)
        let verb = bytes.prefix { !program.dialect.syntax.fromServer.separators.contains($0) }
        guard let name = messageName(Array(verb)) else { return written }
        return "\(written) (\(name))"
    }

    mutating func described(_ line: ReceivedLine) -> String {
        let (name, verb) = matcher.commandName(line)
        guard !verb.isEmpty else { return "\"\(shown(line))\"" }
        guard let name, name != verb, name.lowercased() != verb.lowercased() else { return verb }
        return "\(verb) (\(Self.spaced(name)))"
    }

    private mutating func commandLabel(_ line: ReceivedLine) -> String? {
        let (_, verb) = matcher.commandName(line)
        return verb.isEmpty ? nil : verb
    }

    private func messageName(_ verb: [UInt8]) -> String? {
        let table = program.dialect.commands
        guard let index = table.command(verb.span, 0..<verb.count, .fromServer) else { return nil }
        let signature = table.signatures[index]
        guard case .exact = signature.wire else { return nil }
        let text = String(decoding: verb, as: UTF8.self)
        return signature.name.lowercased() == text.lowercased() ? nil : Self.spaced(signature.name)
    }

    /// Turns `nicknameInUse` into `nickname in use`.
    private static func spaced(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase { result.append(" ") }
            result += character.lowercased()
        }
        return result
    }

    /// Formats a duration for messages.
    func duration(_ nanoseconds: Int64) -> String {
        let value = Double(nanoseconds)
        func rounded(_ value: Double) -> String {
            let tenths = (value * 10).rounded() / 10
            return tenths == tenths.rounded() ? String(Int64(tenths)) : String(tenths)
        }
        switch value {
        case ..<1_000_000: return "\(rounded(value / 1_000)) us"
        case ..<1_000_000_000: return "\(rounded(value / 1_000_000)) ms"
        default: return "\(rounded(value / 1_000_000_000)) s"
        }
    }

    func diagnostic(_ failure: StepFailure, _ instruction: Origin?) -> Diagnostic {
        let origin = failure.origin ?? instruction
        var location: DiagnosticLocation?
        if let origin {
            location = DiagnosticLocation(
                source: recorder.masked(origin.source), range: failure.range ?? origin.range,
                label: recorder.masked(failure.label))
        }
        var result = Diagnostic(
            .error, failure.code, recorder.masked(failure.message), at: location,
            notes: failure.notes)
        if let origin, let useSite = origin.useSite {
            result = result.related(
                DiagnosticLocation(
                    source: recorder.masked(program.file.source), range: useSite,
                    label: "used here"))
        }
        if let block = failure.block, block.range != origin?.range {
            result = result.related(
                DiagnosticLocation(
                    source: recorder.masked(block.source), range: block.range,
                    label: "in this block"))
        }
        for citation in citations(origin) {
            result.notes.append(DiagnosticNote(.cite, citation.summary))
        }
        if recorder.dropped > 0 {
            result = result.note(
                "the first \(recorder.dropped) transcript entries are omitted")
        }
        return result
    }

    /// Returns the step's own citation or, if it has none, the citations in the header.
    private func citations(_ origin: Origin?) -> [Citation] {
        if let citation = origin?.citation { return [citation] }
        return program.file.header.citations
    }
}
