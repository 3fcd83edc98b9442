import ChatModel
import Report
import Results
import Runner
import Synchronization

/// Tells a person how a run goes, while it goes: a line for each scenario that is over, and how far it has
/// come.
final class RunConsole: Sendable {
    /// The live line is not written anew more often.
    static let redrawInterval = Duration.milliseconds(100)

    /// Where the report for people goes; nil: nowhere.
    private let output: Output?
    private let report: PrettyReport
    /// Whether a line that is written over and over can stand below the others.
    private let isLive: Bool
    private let state = Mutex(State())

    private struct State {
        var progress = ProgressText(total: 0)
        var clock = ContinuousClock.now
        var plainLinesTold: Int64 = 0
        var isLineShown = false
        var drawnAt: ContinuousClock.Instant?
    }

    init(output: Output?, report: PrettyReport) {
        self.output = output
        self.report = report
        isLive = output?.isTerminal ?? false
    }

    /// The run begins.
    func begin(server: ServerDescription, scenarioCount: Int, playCount: Int, seed: UInt64) {
        state.withLock { state in
            state = State()
            state.progress = ProgressText(total: playCount)
            output?.write(
                report.heading(
                    server: server, scenarioCount: scenarioCount, seed: seed,
                    toolVersion: toolVersion))
        }
    }

    /// Hears of everything: what it does not hear is missing in what people read.
    func listener(plays: Int) -> Listener<RunEvent> {
        let queue = ListenerQueue(eventsMax: RunEvent.countMax(plays: plays))
        return Listener(named: "the report for people", on: .pool, queue: queue) { [self] event in
            state.withLock { state in hear(event, &state) }
        }
    }

    private func hear(_ event: RunEvent, _ state: inout State) {
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
            output?.write(report.ending(results))
        }
    }

    /// Something else is written among the lines.
    func write(_ text: String, to target: Output) {
        state.withLock { state in
            erase(&state)
            target.write(text)
            draw(&state)
        }
    }

    /// Keeps telling how far it has come, until the task is cancelled.
    func tick() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            state.withLock { state in
                if isLive { draw(&state) } else { tellPlainly(&state) }
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

    private func tellPlainly(_ state: inout State) {
        let due = elapsed(state) / ProgressText.plainInterval
        guard due > state.plainLinesTold, report.verbosity > .quiet else { return }
        state.plainLinesTold = due
        Output.error.write(state.progress.plainLine(elapsed: elapsed(state)))
    }

    private func elapsed(_ state: State) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - state.clock).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
