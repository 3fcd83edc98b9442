import Diagnostics
package import Results

extension PrettyReport {
    /// The columns of the duration at the end of a line.
    private static let durationColumns = 8

    /// The line of a scenario that is over; empty where only what went wrong is told, which
    /// ``ending(_:)`` does.
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
        let place = escapedForDisplay(result.verdict.wantsExplaining ? result.place : result.path)
        let rest = result.attempts > 0 ? ", " + time(of: result) : ""
        return head(of: result).text + escapedForDisplay(result.fullTitle)
            + style("  (\(place)\(rest))", .dim) + "\n"
    }

    /// The title to the left; the file and the duration to the right, where the eye finds them.
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

    /// Why a scenario came out as it did.
    ///
    /// - Parameter isHeaded: whether it is said of which scenario this is told.
    func details(of result: ScenarioResult, isHeaded: Bool = true) -> String {
        let look = VerdictStyle(result.verdict)
        var text = ""
        if isHeaded {
            text +=
                style("\(look.mark) \(look.word)", look.look) + "  "
                + style(escapedForDisplay(result.fullTitle), .bold) + "\n"
        }
        if result.diagnostics.isEmpty {
            let place = escapedForDisplay(result.place)
            let reason = result.reason.isEmpty ? "" : ": " + escapedForDisplay(result.reason)
            text += "\(place)\(reason)\n"
        } else {
            // What decided it comes before what the linter says.
            let errors = result.diagnostics.filter { $0.severity == .error }
            let others = result.diagnostics.filter { $0.severity != .error }
            text += renderer.text(hinted(errors + others, result))
            if result.verdict != .failed, !result.reason.isEmpty,
                result.diagnostics.first?.message != result.reason
            {
                text += "  = " + escapedForDisplay(result.reason) + "\n"
            }
        }
        if result.attempts > 1 { text += "  = played \(result.attempts) times\n" }
        return text + serverOutput(of: result) + transcript(of: result)
    }

    /// What decided it, with how to see more.
    private func hinted(_ diagnostics: [Diagnostic], _ result: ScenarioResult) -> [Diagnostic] {
        guard !showsTranscripts, !result.transcript.isEmpty, let first = diagnostics.first else {
            return diagnostics
        }
        let count = counted(result.transcript.count, "line")
        return [first.note("transcript: \(count), shown by --transcript")] + diagnostics.dropFirst()
    }

    /// How many of the server's last lines stand below a failure; the other reports have them all.
    private static var serverLinesMax: Int { 8 }

    private func serverOutput(of result: ScenarioResult) -> String {
        guard !result.serverOutput.isEmpty else { return "" }
        let lines = result.serverOutput.split(separator: UInt8(ascii: "\n"))
            .suffix(Self.serverLinesMax)
            .map { "    " + escapedForDisplay($0) + "\n" }
        return style("  the server's last lines:", .dim) + "\n" + lines.joined()
    }

    private func transcript(of result: ScenarioResult) -> String {
        guard !result.transcript.isEmpty, showsTranscripts else { return "" }
        let count = counted(result.transcript.count, "line")
        return style("  transcript, \(count):", .dim) + "\n"
            + TranscriptText(style: style, columns: columns).text(result.transcript)
    }
}
