import Diagnostics
package import Results

/// Saved results that can be rendered in any format available for their kind.
package struct ResultsRendering {
    package let results: AnyResults

    /// Combines the results: merges load tests, and puts checks side by side. The results of a
    /// single file remain unchanged.
    package init(_ all: [(path: String, results: AnyResults)]) throws(CommandFailure) {
        guard let first = all.first, all.count > 1 else {
            results = all[0].results
            return
        }
        switch first.results {
        case .run:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(first.path)) contains run results; only load test and check results can be combined",
                help: "pass run results one at a time")
        case .load: results = .load(try Self.merged(all))
        case .check: results = .check(try Self.sideBySide(all))
        case .repeatedLoad:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(first.path)) contains repeated load tests, which cannot be merged",
                help: "pass it alone, or use `linejudge compare`")
        }
    }

    private static func other(
        _ one: (path: String, results: AnyResults), than kind: String
    ) -> CommandFailure {
        CommandFailure(
            .usage, .otherResults,
            "\(ResultsFile.name(one.path)) contains \(one.results.kind) results, not \(kind) results",
            help: "pass only load results (to merge them) or only check results (to compare them)")
    }

    /// Returns a matrix of the servers from all files.
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
                "\(ResultsFile.name(all[error.index].path)) cannot be merged with "
                    + "\(ResultsFile.name(all[0].path)): \(error.reason)")
        } catch {
            throw CommandFailure(.unparsable, .notResults, "the results cannot be merged: \(error)")
        }
    }

    /// Names of the formats for this kind of results.
    private var formats: [String] {
        switch results {
        case .run: ReportFormat.allCases.map(\.rawValue)
        case .load: LoadReportFormat.allCases.map(\.rawValue)
        case .repeatedLoad: RepeatedLoadReportFormat.allCases.map(\.rawValue)
        case .check: CheckReportFormat.allCases.map(\.rawValue)
        }
    }

    /// Throws an error if the format is not available for this kind of results.
    package func check(_ format: String) throws(CommandFailure) {
        guard !formats.contains(format) else { return }
        let meant = didYouMean(format, among: formats).map { "did you mean \($0)? " } ?? ""
        throw CommandFailure(
            .usage, .badOption,
            "unknown format `\(escapedForDisplay(format))` for \(results.kind) results",
            help: meant + "formats: \(formats.joined(separator: ", "))")
    }

    /// Returns the report in the given format. `style` applies only to `pretty`.
    package func text(_ format: String, _ style: Style?) throws -> String {
        switch results {
        case .run(let run):
            guard let format = ReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return PrettyReport(style: style).text(run) }
            return try format.text(run)
        case .load(let load):
            guard let format = LoadReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return LoadSummary(style: style).text(load) }
            return try format.text(load)
        case .repeatedLoad(let loads):
            guard let format = RepeatedLoadReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style {
                return try RepeatedLoadText(style: style).text(loads)
            }
            return try format.text(loads)
        case .check(let matrix):
            guard let format = CheckReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let style { return CheckTexts(style: style).text(matrix) }
            return try format.text(matrix)
        }
    }
}
