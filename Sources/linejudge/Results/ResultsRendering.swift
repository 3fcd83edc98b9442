import Diagnostics
import Load
import Report
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
        var loads: [LoadResults] = []
        for (path, one) in all {
            if case .load(let load) = one {
                loads.append(load)
            } else if all.count > 1 {
                throw CommandFailure(
                    .usage, .otherResults,
                    "\(ResultsInput.name(path)) is of a run; only loads can be merged",
                    help: "give one results file of a run at a time")
            }
        }
        guard let first = all.first, all.count > 1 else {
            results = all[0].results
            return
        }
        do {
            results = .load(try LoadResults.merging(loads))
        } catch let error as LoadResults.Unmergeable {
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsInput.name(all[error.place].path)) does not belong to "
                    + "\(ResultsInput.name(first.path)): \(error.reason)")
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

    /// The text in a format; `paint` is for people.
    func text(_ format: String, _ paint: Paint?) throws -> String {
        switch results {
        case .run(let run):
            guard let format = ReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let paint { return PrettyReport(paint: paint).text(run) }
            return try format.text(run)
        case .load(let load):
            guard let format = LoadReportFormat(rawValue: format) else { return "" }
            if format == .pretty, let paint { return LoadSummary(paint: paint).text(load) }
            return try format.text(load)
        }
    }

    /// How the run or load ended.
    var ending: Ending {
        switch results {
        case .run(let run): return run.exitCode
        case .load(let load):
            switch load.verdict {
            case .passed: return .ok
            case .failed: return .failed
            case .inconclusive: return .inconclusive
            }
        }
    }
}
