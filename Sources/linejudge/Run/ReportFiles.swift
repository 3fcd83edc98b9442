import ChatModel
import Diagnostics
import Report
import Results
import Runner
import Synchronization

/// The reports that a run writes when it is over.
final class ReportFiles: Sendable {
    private let reports: [ReportArgument<ReportFormat>]
    /// What goes to standard output, if that is not the report for people.
    private let standardFormat: ReportFormat?
    /// What was made of the results, or why it could not be.
    private let texts = Mutex<[ReportFormat: Result<String, any Error>]>([:])

    init(_ options: ShowingOptions) {
        reports = options.report.filter { !$0.goesToStandardOutput }
        let asked = options.report.first { $0.goesToStandardOutput }?.format
        standardFormat = asked ?? (options.format == .pretty ? nil : options.format.reportFormat)
    }

    /// Where the report for people goes: to standard output, unless that is taken.
    var outputForPeople: Output { standardFormat == nil ? .standard : .error }

    /// Makes the folders that are missing, so that nobody learns after an hour that a report has no place.
    func prepare() throws(CommandFailure) {
        for report in reports {
            do {
                try OutputFile(path: report.path).prepare()
            } catch {
                throw CommandFailure(writing: "report", report.path, error)
            }
        }
    }

    /// Each format that is wanted is made by a listener of its own when the run is over, side by side.
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

    /// Writes all of them, when all listeners have been told; one that cannot be written keeps none of the
    /// others from it.
    func write() throws {
        let texts = texts.withLock { $0 }
        var failures: [Diagnostic] = []
        for report in reports {
            guard let text = try texts[report.format]?.get() else { continue }
            do throws(OutputFile.Failure) {
                try OutputFile(path: report.path).write(Array(text.utf8))
            } catch {
                failures += CommandFailure(writing: "report", report.path, error).diagnostics
            }
        }
        if let standardFormat, let text = try texts[standardFormat]?.get() {
            Output.standard.write(text)
        }
        if !failures.isEmpty { throw CommandFailure(.software, Diagnosed(failures)) }
    }
}
