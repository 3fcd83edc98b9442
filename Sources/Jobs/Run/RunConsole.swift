import ChatModel
import Console
import Diagnostics
import Report
import Results
import Runner
import Synchronization

/// Console output of a run: a line for each finished scenario, and a progress line.
final class RunConsole: Sendable {
    /// The output to write to; nil to write nothing.
    private let output: Output?
    private let report: PrettyReport
    private let log: CILog
    private let status: StatusLine
    private let progress = Mutex(ProgressText(total: 0))

    init(output: Output?, report: PrettyReport, log: CILog) {
        self.output = output
        self.report = report
        self.log = log
        status = StatusLine(output: report.verbosity > .quiet ? output : nil)
    }

    /// Prints the heading and resets the progress.
    func begin(server: ServerDescription, scenarioCount: Int, runCount: Int, seed: UInt64) {
        progress.withLock { progress in
            progress = ProgressText(total: runCount)
            status.restart()
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
            progress.withLock { progress in handle(event, &progress) }
        }
    }

    private func handle(_ event: RunEvent, _ progress: inout ProgressText) {
        switch event {
        case .began(_, let title):
            progress.current = title
            draw(progress)
        case .ended(let result):
            progress.add(result.verdict)
            draw(progress)
        case .settled(let result):
            let line = report.line(for: result)
            if !line.isEmpty {
                status.erase()
                output?.write(line)
            }
            draw(progress)
        case .finished(let results):
            status.erase()
            log.endGroup()
            if let output { log.write(report.parts(of: results), to: output) }
        }
    }

    /// Writes other text between scenario lines.
    func write(_ text: String, to target: Output) {
        progress.withLock { progress in
            status.erase()
            target.write(text)
            draw(progress)
        }
    }

    /// Shows progress until the task is cancelled.
    func tick() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            progress.withLock { progress in
                status.update(
                    { progress.liveLine(elapsed: $0, columns: $1, style: report.style) },
                    plain: { progress.plainLine(elapsed: $0) })
            }
        }
    }

    private func draw(_ progress: ProgressText) {
        status.draw { progress.liveLine(elapsed: $0, columns: $1, style: report.style) }
    }
}
