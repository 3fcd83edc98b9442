import Conformance
import Console
import Diagnostics
import Report
import Results
import Synchronization

/// Progress display of `check`: on a terminal, a line that is updated; otherwise, a new line every
/// ten seconds.
final class CheckProgress: CheckObserver {
    private struct State {
        var progress: ProgressText
        var isShown = false
        var plainLineCount: Int64 = 0
        var fuzz: FuzzProgress?
    }

    private let total: Int
    private let output: Output?
    private let style: Style
    private let failures: FailureFiles
    private let begin = ContinuousClock.now
    private let state: Mutex<State>

    init(total: Int, output: Output?, style: Style, failures: FailureFiles) {
        self.failures = failures
        self.total = total
        self.output = output
        self.style = style
        state = Mutex(State(progress: ProgressText(total: total)))
    }

    func take(_ event: CheckEvent) {
        switch event {
        case .finished(let result), .confirmed(let result): failures.note(result)
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
        while (try? await Task.sleep(for: .milliseconds(200))) != nil { draw() }
    }

    func erase() {
        state.withLock { state in
            if state.isShown { output?.write(ProgressText.erase) }
            state.isShown = false
        }
    }

    private func draw() {
        guard let output else { return }
        let elapsed = (ContinuousClock.now - begin).components.seconds * 1_000_000_000
        state.withLock { state in
            if let columns = output.columns {
                state.isShown = true
                output.write(
                    state.fuzz.map {
                        Self.liveLine($0, elapsed: elapsed, columns: columns, style: style)
                    }
                        ?? state.progress.liveLine(
                            elapsed: elapsed, columns: columns, style: style))
            } else if elapsed / ProgressText.plainInterval > state.plainLineCount {
                state.plainLineCount = elapsed / ProgressText.plainInterval
                Output.error.write(
                    state.fuzz.map { "... \(Self.text($0)) after \(durationText(elapsed))\n" }
                        ?? state.progress.plainLine(elapsed: elapsed))
            }
        }
    }

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
