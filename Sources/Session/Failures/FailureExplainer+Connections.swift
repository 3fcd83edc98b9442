import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Failures of connections, and of replies that were sent without a step.
extension FailureExplainer {
    func noConnection(_ index: Int, _ reason: String) -> StepFailure {
        StepFailure(
            kind: .inconclusive, code: "run.no-connection",
            message: "\(operators[index].name) cannot connect: \(reason)",
            notes: [
                DiagnosticNote(
                    .help, "check that the server is running and that the address is correct")
            ])
    }

    func notClosed(_ index: Int, _ waited: Int64) -> StepFailure {
        StepFailure(
            code: "run.not-closed",
            message: "expected the server to close \(operators[index].name)'s connection within "
                + "\(duration(waited)), but it is still open",
            label: arrivals([index]))
    }

    func closed(
        _ index: Int, _ manner: ClosingManner, _ when: String, _ range: SourceRange? = nil
    ) -> StepFailure {
        let name = operators[index].name
        let how = manner == .fin ? "closed" : "reset"
        var label = "the server \(how) \(name)'s connection"
        if let last = entries.last(where: {
            $0.operatorName == name && $0.kind == .received
        }) {
            label = "the last line was \"\(shown(last.bytes))\""
            if let line = operators[index].lines.skipped.last, line.isUnterminated {
                label = received(line)
            }
        }
        return StepFailure(
            code: "run.closed", message: "the server \(how) \(name)'s connection \(when)",
            range: range, label: label,
            notes: operators[index].closeReason.map {
                [DiagnosticNote(.note, mask.masked($0))]
            } ?? [])
    }

    func closedTooEarly(_ index: Int, _ waited: Int64, earliest: Int64) -> StepFailure {
        StepFailure(
            code: "run.too-early",
            message: "expected the server to close \(operators[index].name)'s connection no "
                + "earlier than \(duration(earliest)), but it was closed after "
                + duration(waited))
    }

    func wrongClose(
        _ index: Int, _ actual: ClosingManner, expected: ClosingManner?
    ) -> StepFailure {
        StepFailure(
            code: "run.wrong-close",
            message: "expected the server to close \(operators[index].name)'s connection by "
                + "\(expected?.rawValue ?? ""), but it was closed by \(actual.rawValue)")
    }

    /// Returns the failure for an operator that received too many lines.
    func flood(_ index: Int) -> StepFailure {
        let op = operators[index]
        let isComparing = op.lines.outcome.count > op.lines.inbox.count
        let lines = isComparing ? op.lines.outcome : op.lines.inbox
        let what = isComparing ? "in one round of a comparison" : "that no step has consumed"
        return StepFailure(
            code: "run.flooded",
            message: "\(op.name) has received \(lines.count) lines (\(lines.byteCount) bytes) "
                + "\(what); the limit is \(limits.inboxLinesMax) lines or "
                + "\(limits.inboxBytesMax) bytes",
            notes: [
                DiagnosticNote(.help, "discard lines that do not matter with `ignore PATTERN`")
            ])
    }

    func reply(_ reply: ReplyFailure) -> StepFailure {
        var failure: StepFailure
        switch reply.reason {
        case .flooded(let index):
            failure = StepFailure(
                code: "run.flooded",
                message: "more than \(limits.outgoingMax) unsent writes are queued "
                    + "for \(operators[index].name) after a standing reply")
        case .unrenderable(let error):
            failure = StepFailure(error)
            failure.message = "the standing reply cannot be sent: " + failure.message
        }
        failure.label = received(reply.line)
        failure.entry = reply.line.entry
        failure.origin = reply.rule
        return failure
    }
}
