import Conformance
import Diagnostics
import Load
import Report
import Results
import Runner

/// A value of `--report` whose format is checked once the kind of results is known.
struct AnyReportArgument: Hashable {
    let format: String
    let path: String

    /// Formats of all kinds of results.
    static var formats: [String] {
        Set(
            ReportFormat.allCases.map(\.rawValue) + LoadReportFormat.allCases.map(\.rawValue)
                + CheckReportFormat.allCases.map(\.rawValue)
        ).sorted()
    }

    /// Values of `--report` with a suitable file name.
    static var completions: [String] {
        Set(
            ReportFormat.completions + LoadReportFormat.completions + CheckReportFormat.completions
        ).sorted()
    }
}

/// Saved results that can be rendered in any format of their kind.
struct ResultsRendering {
    let results: AnyResults

    /// - Parameter all: one file, several loads to merge, or several checks to compare.
    init(_ all: [(path: String, results: AnyResults)]) throws(CommandFailure) {
        guard let first = all.first, all.count > 1 else {
            results = all[0].results
            return
        }
        switch first.results {
        case .run:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsInput.name(first.path)) is from a run; only loads and checks can be combined",
                help: "give one results file of a run at a time")
        case .load: results = .load(try Self.merged(all))
        case .check: results = .check(try Self.sideBySide(all))
        }
    }

    private static func other(
        _ one: (path: String, results: AnyResults), than kind: String
    ) -> CommandFailure {
        CommandFailure(
            .usage, .otherResults,
            "\(ResultsInput.name(one.path)) is from a \(one.results.kind), not from a \(kind)",
            help: "give results of loads, which are merged, or of checks, which are compared")
    }

    /// A matrix of the servers of all files.
    private static func sideBySide(
        _ all: [(path: String, results: AnyResults)]
    ) throws(CommandFailure) -> CheckMatrix {
        var servers: [CheckMatrix.Server] = []
        for one in all {
            guard case .check(let matrix) = one.results else { throw other(one, than: "check") }
            servers += matrix.servers
        }
        guard servers.count <= CheckMatrix.serversMax else {
            throw CommandFailure(
                .usage, .otherResults,
                "\(servers.count) servers given; at most \(CheckMatrix.serversMax) can be compared")
        }
        return CheckMatrix(ServerNames.distinct(servers))
    }

    private static func merged(
        _ all: [(path: String, results: AnyResults)]
    ) throws(CommandFailure) -> LoadResults {
        var loads: [LoadResults] = []
        for one in all {
            guard case .load(let load) = one.results else { throw other(one, than: "load") }
            loads.append(load)
        }
        do {
            return try LoadResults.merging(loads)
        } catch let error as LoadResults.MergeError {
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsInput.name(all[error.index].path)) cannot be merged with "
                    + "\(ResultsInput.name(all[0].path)): \(error.reason)")
        } catch let error as HistogramCodec.Malformed {
            throw CommandFailure(
                .unparsable, .notResults, "invalid histogram: \(error.reason)")
        } catch {
            throw CommandFailure(.unparsable, .notResults, "the results cannot be merged: \(error)")
        }
    }

    /// Formats of this kind of results.
    private var formats: [String] {
        switch results {
        case .run: ReportFormat.allCases.map(\.rawValue)
        case .load: LoadReportFormat.allCases.map(\.rawValue)
        case .check: CheckReportFormat.allCases.map(\.rawValue)
        }
    }

    /// Throws if this kind of results has no such format.
    func check(_ format: String) throws(CommandFailure) {
        guard !formats.contains(format) else { return }
        let meant = didYouMean(format, among: formats).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, .badOption,
            "unknown format `\(escapedForDisplay(format))` for results of a "
                + results.kind,
            help: meant + "formats: \(formats.joined(separator: ", "))")
    }

    /// The report in a format; `style` styles `pretty`.
    func text(_ format: String, _ style: Style?) throws -> String {
        switch results {
        case .run(let run):
            guard let format = ReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return PrettyReport(style: style).text(run) }
            return try format.text(run)
        case .load(let load):
            guard let format = LoadReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return LoadSummary(style: style).text(load) }
            return try format.text(load)
        case .check(let matrix):
            guard let format = CheckReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return CheckTexts(style: style).text(matrix) }
            return try format.text(matrix)
        }
    }
}

/// Saved results of checks as text.
struct CheckTexts {
    let style: Style

    func text(_ matrix: CheckMatrix) -> String {
        let replays = matrix.servers.map { "--server \($0.results.endpoint)" }
        guard let only = matrix.servers.first?.results, matrix.servers.count == 1 else {
            return CheckMatrixSummary(style: style).text(matrix, replays: replays)
        }
        let summary = CheckSummary(style: style)
        return summary.heading(only, count: only.checks.count)
            + summary.text(only, replay: replays[0])
    }
}

/// Names of servers in a matrix.
enum ServerNames {
    /// Distinct names; the second server with a name gets `#2`.
    static func distinct(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            return counts[name] == 1 ? name : "\(name)#\(counts[name] ?? 0)"
        }
    }

    /// The servers with distinct names.
    static func distinct(_ servers: [CheckMatrix.Server]) -> [CheckMatrix.Server] {
        zip(distinct(servers.map(\.name)), servers).map { CheckMatrix.Server($0, $1.results) }
    }
}
