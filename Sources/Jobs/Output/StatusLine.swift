import Console
import Report
import Synchronization

/// A progress display: on a terminal, a line that is redrawn in place; otherwise, a new line on
/// standard error every ten seconds.
final class StatusLine: Sendable {
    /// Minimum interval between updates.
    static let redrawInterval = Duration.milliseconds(100)

    private struct State {
        var begin = ContinuousClock.now
        var drawnAt: ContinuousClock.Instant?
        var isShown = false
        var plainLineCount: Int64 = 0

        func elapsed(_ now: ContinuousClock.Instant) -> Int64 {
            (now - begin).components.seconds * 1_000_000_000
        }
    }

    /// The output, which may be a terminal; nil to show no progress.
    private let output: Output?
    private let state = Mutex(State())

    init(output: Output?) { self.output = output }

    /// Resets the elapsed time to zero.
    func restart() {
        state.withLock { $0 = State() }
    }

    /// Redraws the line on a terminal, unless it has just been drawn.
    ///
    /// - Parameter line: Returns the line for the elapsed whole seconds, in nanoseconds, and the
    ///   width of the terminal.
    func draw(_ line: (_ elapsed: Int64, _ columns: Int) -> String) {
        guard let output, let columns = output.columns else { return }
        state.withLock { state in
            let now = ContinuousClock.now
            if let drawnAt = state.drawnAt, now - drawnAt < Self.redrawInterval { return }
            state.drawnAt = now
            state.isShown = true
            output.write(line(state.elapsed(now), columns))
        }
    }

    /// Redraws the line on a terminal; otherwise writes a line if ten seconds have passed since
    /// the last one.
    func update(
        _ line: (_ elapsed: Int64, _ columns: Int) -> String,
        plain: (_ elapsed: Int64) -> String
    ) {
        guard let output else { return }
        guard output.columns == nil else { return draw(line) }
        let elapsed: Int64? = state.withLock { state in
            let elapsed = state.elapsed(ContinuousClock.now)
            guard elapsed / ProgressText.plainInterval > state.plainLineCount else { return nil }
            state.plainLineCount = elapsed / ProgressText.plainInterval
            return elapsed
        }
        if let elapsed { Output.error.write(plain(elapsed)) }
    }

    /// Erases the line, so that other text can be written in its place.
    func erase() {
        state.withLock { state in
            if state.isShown { output?.write(ProgressText.erase) }
            state.isShown = false
            state.drawnAt = nil
        }
    }
}
