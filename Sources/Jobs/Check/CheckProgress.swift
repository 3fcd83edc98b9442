import Conformance
import Console
import Diagnostics
import Report
import Results
import Synchronization

/// Progress display of `check`.
final class CheckProgress: CheckObserver {
    private struct State {
        var progress: ProgressText
        var fuzz: FuzzProgress?
    }

    private let total: Int
    private let style: Style
    private let failures: FailureFiles
    private let interim: InterimCheckReports
    private let status: StatusLine
    private let state: Mutex<State>

    /// - Parameter output: The output for progress; nil to show none.
    init(
        total: Int, output: Output?, style: Style, failures: FailureFiles,
        interim: InterimCheckReports
    ) {
        self.failures = failures
        self.interim = interim
        self.total = total
        self.style = style
        status = StatusLine(output: output)
        state = Mutex(State(progress: ProgressText(total: total)))
    }

    func take(_ event: CheckEvent) {
        switch event {
        case .finished(let result), .confirmed(let result):
            failures.note(result)
            interim.note(result)
        case .began, .repeating: break
        }
        state.withLock { state in
            switch event {
            case .began(let id): state.progress.current = "\(id)"
            case .finished(let result): state.progress.add(result.verdict)
            case .repeating(let id): state.progress.current = "repeating \(id)"
            case .confirmed: break
            }
        }
    }

    /// Resets the count because all checks will run again.
    func beginAgain() {
        state.withLock { $0.progress = ProgressText(total: total) }
    }

    func take(_ progress: FuzzProgress) {
        state.withLock { $0.fuzz = progress }
    }

    func tick() async {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            let state = state.withLock(\.self)
            status.update(
                { elapsed, columns in
                    guard let fuzz = state.fuzz else {
                        return state.progress.liveLine(
                            elapsed: elapsed, columns: columns, style: style)
                    }
                    return Self.liveLine(fuzz, elapsed: elapsed, columns: columns, style: style)
                },
                plain: { elapsed in
                    guard let fuzz = state.fuzz else {
                        return state.progress.plainLine(elapsed: elapsed)
                    }
                    return "... \(Self.text(fuzz)) after \(durationText(elapsed))\n"
                })
        }
    }

    func erase() { status.erase() }

    private static func liveLine(
        _ fuzz: FuzzProgress, elapsed: Int64, columns: Int, style: Style
    ) -> String {
        let line = "  \(text(fuzz)), \(elapsed / 1_000_000_000) s"
        return ProgressText.erase + style(ColumnText.cutEnd(line, to: columns - 1), .dim)
    }

    private static func text(_ fuzz: FuzzProgress) -> String {
        "\(fuzz.trials) inputs, \(fuzz.shapes) distinct answers, \(fuzz.kept) kept"
            + (fuzz.suspicions == 0 ? "" : ", \(fuzz.suspicions) suspicious")
    }
}
