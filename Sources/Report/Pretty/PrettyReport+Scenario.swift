import Diagnostics
package import Results

extension PrettyReport {
    /// Width of the duration column at the end of a line.
    private static let durationColumns = 8

    /// Returns the line for a finished scenario. It is empty in quiet mode, where ``ending(_:)``
    /// reports problems.
    package func line(for result: ScenarioResult) -> String {
        if verbosity == .quiet { return "" }
        var text = columns.map { aligned(result, columns: $0) } ?? plain(result)
        if result.verdict == .skipped || result.verdict == .knownFailure, !result.reason.isEmpty {
            let room = columns.map { $0 - 8 } ?? .max
            for piece in ColumnText.lines(escapedForDisplay(result.reason), columns: room) {
                text += "        " + style(piece, .dim) + "\n"
            }
        }
        return text
    }

    private func head(of result: ScenarioResult) -> (text: String, columns: Int) {
        let look = VerdictStyle(result.verdict)
        let text = "\(look.mark) \(look.word)"
        return (style(text, look.look) + "  ", displayWidth(text) + 2)
    }

    private func plain(_ result: ScenarioResult) -> String {
        let location = escapedForDisplay(
            result.verdict.needsExplanation ? result.location : result.path)
        let rest = result.attempts > 0 ? ", " + time(of: result) : ""
        return head(of: result).text + escapedForDisplay(result.fullTitle)
            + style("  (\(location)\(rest))", .dim) + "\n"
    }

    /// Returns a line with the scenario's title on the left, and its file and duration on the
    /// right.
    private func aligned(_ result: ScenarioResult, columns: Int) -> String {
        let head = head(of: result)
        let room = columns - head.columns - 2 - 1 - Self.durationColumns
        let path = escapedForDisplay(result.path)
        let title = escapedForDisplay(result.fullTitle)
        let titleRoom = min(displayWidth(title), max(room * 3 / 5, room - displayWidth(path)))
        let shownTitle = ColumnText.cutEnd(title, to: titleRoom)
        let pathRoom = room - displayWidth(shownTitle)
        let shownPath = ColumnText.cutStart(path, to: pathRoom)
        var right = ColumnText.rightAligned(shownPath, to: pathRoom)
        if result.attempts > 0 {
            right += " " + ColumnText.rightAligned(time(of: result), to: Self.durationColumns)
        }
        return head.text + shownTitle + "  " + style(right, .dim) + "\n"
    }

    private func time(of result: ScenarioResult) -> String { durationText(result.duration) }

    /// Returns an explanation of a scenario's verdict.
    ///
    /// - Parameter isHeaded: True if the explanation starts with the verdict and the title.
    func details(of result: ScenarioResult, isHeaded: Bool = true) -> String {
        let look = VerdictStyle(result.verdict)
        var text = ""
        if isHeaded {
            text +=
                style("\(look.mark) \(look.word)", look.look) + "  "
                + style(escapedForDisplay(result.fullTitle), .bold) + "\n"
        }
        if result.diagnostics.isEmpty {
            let location = escapedForDisplay(result.location)
            let reason = result.reason.isEmpty ? "" : ": " + escapedForDisplay(result.reason)
            text += "\(location)\(reason)\n"
        } else {
            // The error that decided the verdict is shown before lint warnings.
            let errors = result.diagnostics.filter { $0.severity == .error }
            let others = result.diagnostics.filter { $0.severity != .error }
            text += renderer.text(hinted(errors + others, result))
            if result.verdict != .failed, !result.reason.isEmpty,
                result.diagnostics.first?.message != result.reason
            {
                text += "  = " + escapedForDisplay(result.reason) + "\n"
            }
        }
        if result.attempts > 1 { text += "  = ran \(result.attempts) times\n" }
        return text + serverOutput(of: result) + transcript(of: result)
    }

    /// Adds advice about `--transcript` to the first diagnostic, unless part of the transcript is
    /// shown anyway.
    private func hinted(_ diagnostics: [Diagnostic], _ result: ScenarioResult) -> [Diagnostic] {
        guard !showsTranscripts, !foldsTranscripts, !result.transcript.isEmpty,
            result.focus == nil, let first = diagnostics.first
        else {
            return diagnostics
        }
        let count = counted(result.transcript.count, "line")
        return [first.note("\(count) of transcript hidden; show with --transcript")]
            + diagnostics.dropFirst()
    }

    /// Maximum number of lines of server output shown for a failure. Other report formats show all
    /// lines.
    private static var serverLinesMax: Int { 8 }

    private func serverOutput(of result: ScenarioResult) -> String {
        guard !result.serverOutput.isEmpty else { return "" }
        let lines = result.serverOutput.split(separator: UInt8(ascii: "\n"))
            .suffix(Self.serverLinesMax)
            .map { "    " + escapedForDisplay($0) + "\n" }
        return style("  last lines of server output:", .dim) + "\n" + lines.joined()
    }

    /// Returns the complete transcript, or only the lines around the decisive one.
    private func transcript(of result: ScenarioResult) -> String {
        let renderer = TranscriptText(style: style, columns: columns)
        if showsTranscripts {
            guard !result.transcript.isEmpty else { return "" }
            let count = counted(result.transcript.count, "line")
            return style("  transcript (\(count)):", .dim) + "\n"
                + renderer.text(result.transcript, decisive: result.focus?.entry)
        }
        guard let excerpt = TranscriptExcerpt(result) else { return "" }
        let heading = excerpt.heading(hint: foldsTranscripts ? "" : ", show all with --transcript")
        return style("  \(heading):", .dim) + "\n" + renderer.text(of: excerpt.lines)
    }

    /// Returns the transcript of a problem as a collapsible part; nil if transcripts are not
    /// collapsed, or if the excerpt already shows all of it.
    func foldedTranscript(of result: ScenarioResult) -> ReportPart? {
        guard foldsTranscripts, !showsTranscripts, !result.transcript.isEmpty,
            TranscriptExcerpt(result)?.isWhole != true
        else { return nil }
        let text = TranscriptText(style: style, columns: columns)
            .text(result.transcript, decisive: result.focus?.entry)
        let count = counted(result.transcript.count, "line")
        return ReportPart(text, foldedAs: "transcript (\(count)): \(result.fullTitle)")
    }
}
