import ChatModel
import Console
import Diagnostics
import Report
import Results
import Runner
import Synchronization

/// Console output of a run: a line for each finished scenario, and a progress line.
final class RunConsole: Sendable {
    /// Minimum interval between updates of the progress line.
    static let redrawInterval = Duration.milliseconds(100)

    /// The output to write to; nil to write nothing.
    private let output: Output?
    private let report: PrettyReport
    private let log: CILog
    /// True to show a progress line below the other lines.
    private let isLive: Bool
    private let state = Mutex(State())

    private struct State {
        var progress = ProgressText(total: 0)
        var clock = ContinuousClock.now
        var plainLineCount: Int64 = 0
        var isLineShown = false
        var drawnAt: ContinuousClock.Instant?
    }

    init(output: Output?, report: PrettyReport, log: CILog) {
        self.output = output
        self.report = report
        self.log = log
        isLive = output?.isTerminal ?? false
    }

    /// Prints the heading and resets the progress.
    func begin(server: ServerDescription, scenarioCount: Int, runCount: Int, seed: UInt64) {
        state.withLock { state in
            state = State()
            state.progress = ProgressText(total: runCount)
            output?.write(
                report.heading(
                    server: server, scenarioCount: scenarioCount, seed: seed,
                    toolVersion: toolVersion))
            if let output, report.verbosity > .quiet {
                log.beginGroup(counted(scenarioCount, "scenario"), in: output)
            }
        }
    }

    /// Returns a listener with room for all events, so that no line is lost.
    func listener(runs: Int) -> Listener<RunEvent> {
        let queue = ListenerQueue(eventsMax: RunEvent.countMax(runs: runs))
        return Listener(named: "the human-readable report", on: .pool, queue: queue) {
            [self] event in
            state.withLock { state in handle(event, &state) }
        }
    }

    private func handle(_ event: RunEvent, _ state: inout State) {
        switch event {
        case .began(_, let title):
            state.progress.current = title
            draw(&state)
        case .ended(let result):
            state.progress.add(result.verdict)
            draw(&state)
        case .settled(let result):
            let line = report.line(for: result)
            if !line.isEmpty {
                erase(&state)
                output?.write(line)
            }
            draw(&state)
        case .finished(let results):
            erase(&state)
            log.endGroup()
            if let output { log.write(report.parts(of: results), to: output) }
        }
    }

    /// Writes other text between scenario lines.
    func write(_ text: String, to target: Output) {
        state.withLock { state in
            erase(&state)
            target.write(text)
            draw(&state)
        }
    }

    /// Shows progress until the task is cancelled.
    func tick() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            state.withLock { state in
                if isLive { draw(&state) } else { writePlainLine(&state) }
            }
        }
    }

    private func draw(_ state: inout State) {
        guard isLive, report.verbosity > .quiet, let output, let columns = output.columns else {
            return
        }
        let now = ContinuousClock.now
        if let drawnAt = state.drawnAt, now - drawnAt < Self.redrawInterval { return }
        state.drawnAt = now
        let line = state.progress.liveLine(
            elapsed: elapsed(state), columns: columns, style: report.style)
        output.write(line)
        state.isLineShown = true
    }

    private func erase(_ state: inout State) {
        guard state.isLineShown else { return }
        output?.write(ProgressText.erase)
        state.isLineShown = false
    }

    private func writePlainLine(_ state: inout State) {
        let due = elapsed(state) / ProgressText.plainInterval
        guard due > state.plainLineCount, report.verbosity > .quiet else { return }
        state.plainLineCount = due
        Output.error.write(state.progress.plainLine(elapsed: elapsed(state)))
    }

    private func elapsed(_ state: State) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - state.clock).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
