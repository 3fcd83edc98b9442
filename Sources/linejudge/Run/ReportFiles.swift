import ChatModel
import Diagnostics
import Report
import Results
import Runner
import Synchronization

/// Reports written at the end of a run.
final class ReportFiles: Sendable {
    private let reports: [ReportArgument<ReportFormat>]
    /// The format of standard output; nil for the report for people.
    private let standardFormat: ReportFormat?
    /// Finished reports, or why they could not be made.
    private let texts = Mutex<[ReportFormat: Result<String, any Error>]>([:])

    init(_ options: RunOutputOptions) {
        reports = options.report.filter { !$0.goesToStandardOutput }
        let asked = options.report.first { $0.goesToStandardOutput }?.format
        standardFormat = asked ?? (options.format == .pretty ? nil : options.format.reportFormat)
    }

    /// The output for people: standard output, or standard error if a report goes there.
    var outputForPeople: Output { standardFormat == nil ? .standard : .error }

    /// Checks that all can be written, before the run begins.
    func prepare() throws(CommandFailure) {
        for report in reports { try OutputFile(path: report.path).prepare(as: "report") }
    }

    /// Adds a listener for each format, which makes the report when the run is over.
    func listen(to events: Multicast<RunEvent>, plays: Int) throws(MulticastError) {
        let queue = ListenerQueue(eventsMax: RunEvent.countMax(plays: plays))
        for format in Set(reports.map(\.format) + [standardFormat].compactMap(\.self)) {
            try events.add(
                Listener(named: "the \(format) report", on: .pool, queue: queue) { [self] event in
                    guard case .finished(let results) = event else { return }
                    let text = Result { try format.text(results) }
                    texts.withLock { $0[format] = text }
                })
        }
    }

    /// Writes all reports, after all listeners have finished, and throws for those that failed.
    func write() throws {
        let texts = texts.withLock { $0 }
        var failures: [Diagnostic] = []
        for report in reports {
            guard let text = try texts[report.format]?.get() else { continue }
            do throws(CommandFailure) {
                try OutputFile(path: report.path).write(text, as: "report")
            } catch {
                failures += error.diagnostics
            }
        }
        if let standardFormat, let text = try texts[standardFormat]?.get() {
            Output.standard.write(text)
        }
        if !failures.isEmpty { throw CommandFailure(.software, Diagnosed(failures)) }
    }
}
