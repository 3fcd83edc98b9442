import Conformance
import Diagnostics
import Load
import Report
import Results
import Runner

/// A report whose format is looked at when it is known what kind of results it is of.
struct AnyReportArgument: Hashable {
    let format: String
    let path: String
}

/// Results, and what can be made of them.
struct ResultsRendering {
    let results: AnyResults

    /// What several files amount to.
    init(_ all: [(path: String, results: AnyResults)]) throws(CommandFailure) {
        guard let first = all.first, all.count > 1 else {
            results = all[0].results
            return
        }
        switch first.results {
        case .run:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsInput.name(first.path)) is of a run; only loads and checks go together",
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
            "\(ResultsInput.name(one.path)) is of a \(one.results.kind), not of a \(kind)",
            help: "give files of loads, which are merged, or of checks, which stand side by side")
    }

    /// Servers that were checked one after another, side by side.
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
                "\(servers.count) servers; at most \(CheckMatrix.serversMax) stand side by side")
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
                "\(ResultsInput.name(all[error.index].path)) does not belong to "
                    + "\(ResultsInput.name(all[0].path)): \(error.reason)")
        } catch let error as HistogramCodec.Malformed {
            throw CommandFailure(
                .unparsable, .notResults, "a histogram cannot be read: \(error.reason)")
        } catch {
            throw CommandFailure(.unparsable, .notResults, "they cannot be merged: \(error)")
        }
    }

    /// The formats that there are for this kind.
    private var formats: [String] {
        switch results {
        case .run: ReportFormat.allCases.map(\.rawValue)
        case .load: LoadReportFormat.allCases.map(\.rawValue)
        case .check: CheckReportFormat.allCases.map(\.rawValue)
        }
    }

    /// Looks whether a format is one for this kind.
    func check(_ format: String) throws(CommandFailure) {
        guard !formats.contains(format) else { return }
        let meant = didYouMean(format, among: formats).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, .badOption,
            "no format `\(escapedForDisplay(format))` for the results of a "
                + results.kind,
            help: meant + "there are: \(formats.joined(separator: ", "))")
    }

    /// The text in a format; `style` is for people.
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

/// Saved checks for people.
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

/// What servers side by side are called.
enum ServerNames {
    /// Names of which no two are the same: the second of a name is its `#2`.
    static func distinct(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            return counts[name] == 1 ? name : "\(name)#\(counts[name] ?? 0)"
        }
    }

    /// The servers under such names.
    static func distinct(_ servers: [CheckMatrix.Server]) -> [CheckMatrix.Server] {
        zip(distinct(servers.map(\.name)), servers).map { CheckMatrix.Server($0, $1.results) }
    }
}
