import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// A writer of failure messages: what was expected, what arrived and when, and which rule of the
/// specification was violated.
struct FailureExplainer {
    let program: Program
    let limits: SessionLimits
    let operators: [SimulatedOperator]
    let mask: SecretMask
    /// The transcript, without the dropped entries.
    let entries: [TranscriptEntry]
    /// Number of transcript entries dropped so far.
    let dropped: Int
    /// Line and time of the last send; nil before the first send.
    let lastSend: (line: Int, time: Int64)?
    /// Origin of the current instruction; nil at the end of the program.
    let origin: Origin?

    /// Maximum number of characters of a received line shown in a label.
    static var shownMax: Int { 160 }
    /// Maximum number of bytes of a received line processed for a label.
    static var shownBytesMax: Int { 64 << 10 }

    func shown(_ line: ReceivedLine) -> String { shown(line.bytes) }

    func shown(_ bytes: [UInt8]) -> String {
        // Mask before truncating, because a truncated secret would not be recognised.
        let text = mask.masked(escapedForDisplay(bytes.prefix(Self.shownBytesMax)))
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

    func mismatch(_ mismatch: Mismatch, _ line: ReceivedLine) -> StepFailure {
        let written = mask.masked(
            origin.map { String(decoding: $0.source.bytes(in: mismatch.range), as: UTF8.self) }
                ?? "")
        var message: String
        if mismatch.isOtherCommand {
            message = "expected \(described(written)), got \(described(line))"
        } else {
            let expected = mismatch.expected == "{pattern}" ? written : mismatch.expected
            message = "expected \(mask.masked(expected))"
            if !mismatch.part.isEmpty {
                message += " \(mismatch.part)"
                if let name = commandLabel(line) { message += " of \(name)" }
            }
            message += ", got \(mask.masked(mismatch.got))"
        }
        var failure = StepFailure(
            code: "run.mismatch", message: message, range: mismatch.range, label: received(line),
            entry: line.entry)
        // Do not show a difference that is inside a secret, because part of a secret would not be
        // masked.
        let isShownWhole =
            mask.masked(mismatch.expected + mismatch.got)
            == mismatch.expected + mismatch.got
        if let difference = mismatch.firstDifference, isShownWhole {
            failure.notes.append(DiagnosticNote(.note, difference))
        }
        return failure
    }

    func timeout(_ index: Int, _ pattern: LinePattern, _ waited: Int64) -> StepFailure {
        var failure = StepFailure(
            code: "run.timeout",
            message: "expected \(described(mask.masked(pattern.text))) within "
                + "\(duration(waited)), but it did not arrive",
            range: pattern.range, label: arrivals([index]))
        if let closest = operators[index].lines.skipped.closest {
            let difference = mismatch(closest.mismatch, closest.line)
            failure.notes = [
                DiagnosticNote(
                    .note, "the closest line was \"\(shown(closest.line))\": \(difference.message)")
            ]
            failure.notes += difference.notes
        }
        return failure
    }

    func tooEarly(
        _ line: ReceivedLine, _ pattern: LinePattern, _ waited: Int64, earliest: Int64
    ) -> StepFailure {
        StepFailure(
            code: "run.too-early",
            message: "expected \(pattern.text) no earlier than \(duration(earliest)), "
                + "but it arrived after \(duration(max(0, waited)))",
            range: pattern.range, label: received(line), entry: line.entry)
    }

    /// Returns the failure for a line that matches but is incomplete because the connection ended.
    func unterminated(
        _ line: ReceivedLine, _ pattern: LinePattern, _ index: Int
    ) -> StepFailure {
        let part = line.payload == nil ? "line" : "payload"
        return StepFailure(
            code: "run.unterminated",
            message: "expected \(described(mask.masked(pattern.text))), but "
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
        if let last = op.lines.skipped.last {
            let count = op.lines.skipped.count
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

    func refusal(_ line: ReceivedLine, _ pattern: LinePattern) -> StepFailure {
        StepFailure(
            code: "run.refused",
            message:
                "expected \(described(mask.masked(pattern.text))), but the server refused it "
                + "with \(described(line))",
            range: pattern.range, label: received(line), entry: line.entry)
    }

    /// Returns a command with its name in the dialect, such as `433 (nickname in use)`.
    private func described(_ written: String) -> String {
        let bytes = Array(written.utf8)
        let verb = bytes.prefix { !program.dialect.syntax.fromServer.separators.contains($0) }
        guard let name = messageName(Array(verb)) else { return written }
        return "\(written) (\(name))"
    }

    func described(_ line: ReceivedLine) -> String {
        let (name, verb) = commandName(line)
        guard !verb.isEmpty else { return "\"\(shown(line))\"" }
        guard let name, name != verb, name.lowercased() != verb.lowercased() else { return verb }
        return "\(verb) (\(Self.spaced(name)))"
    }

    private func commandName(_ line: ReceivedLine) -> (name: String?, verb: String) {
        var matcher = LineMatcher(program.dialect)
        return matcher.commandName(line)
    }

    private func commandLabel(_ line: ReceivedLine) -> String? {
        let verb = commandName(line).verb
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
}

/// Formats a duration for failure messages: `250 us`, `3.1 ms`, `5 s`.
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
