import Console
import Load
import Report

/// The progress of a running load test, in a terminal or as plain lines.
struct LoadProgressView {
    /// Interval between updates, in milliseconds.
    private static let redrawMilliseconds = 200

    private let people: Output
    private let style: Style
    private let log: CILog

    init(_ people: Output, _ style: Style, _ log: CILog) {
        self.people = people
        self.style = style
        self.log = log
    }

    /// Shows the progress until the task is cancelled.
    ///
    /// - Parameter tick: Called at each update.
    func follow(_ setup: LoadSetup, _ watch: LoadMonitor, tick: () -> Void = {}) async {
        let status = StatusLine(output: people)
        var progress = LoadProgressText()
        var second = -1
        while (try? await Task.sleep(for: .milliseconds(Self.redrawMilliseconds))) != nil {
            if let last = watch.lastSecond(after: second) {
                second = last.number
                progress.add(last.second)
            }
            tick()
            let state = watch.progress(of: setup)
            status.update(
                { _, columns in
                    progress.liveLine(watch.snapshot, state, columns: columns, style: style)
                },
                plain: { _ in
                    log.beginGroup("progress", in: .error)
                    return progress.plainLine(watch.snapshot, state)
                })
        }
        status.erase()
    }
}
