import Diagnostics
import Foundation
import Report
import Runner

/// The reports that a run writes when it is over.
struct ReportFiles {
    private let reports: [ReportArgument]
    /// What goes to standard output, if that is not the report for people.
    private let standardFormat: ReportFormat?

    init(_ options: ShowingOptions) {
        reports = options.report.filter { $0.path != "-" }
        let asked = options.report.first { $0.path == "-" }?.format
        standardFormat = asked ?? (options.format == .pretty ? nil : options.format.reportFormat)
    }

    /// Where the report for people goes: to standard output, unless that is taken.
    var outputForPeople: Output { standardFormat == nil ? .standard : .error }

    /// Makes the folders that are missing, so that nobody learns after an hour that a report has no place.
    func prepare() throws(CommandFailure) {
        for report in reports {
            let folder = URL(filePath: report.path).deletingLastPathComponent()
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
            } catch {
                throw failure(report, error)
            }
            var isFolder: ObjCBool = false
            let exists = unsafe FileManager.default.fileExists(
                atPath: report.path, isDirectory: &isFolder)
            let isWritable = FileManager.default.isWritableFile(
                atPath: exists ? report.path : folder.path)
            if exists && isFolder.boolValue || !isWritable {
                throw CommandFailure(
                    .software, .cannotWrite,
                    "the report `\(escapedForDisplay(report.path))` cannot be written there")
            }
        }
    }

    /// Writes all of them.
    func write(_ results: RunResults) throws {
        for report in reports {
            let text = try report.format.text(results)
            do {
                // Whoever looks into the folder sees the old report or the new one, never half of it.
                let target = URL(filePath: report.path).resolvingSymlinksInPath()
                try Data(text.utf8).write(to: target, options: .atomic)
            } catch {
                throw failure(report, error)
            }
        }
        if let standardFormat { Output.standard.write(try standardFormat.text(results)) }
    }

    private func failure(_ report: ReportArgument, _ error: any Error) -> CommandFailure {
        CommandFailure(
            .software, .cannotWrite,
            "the report `\(escapedForDisplay(report.path))` cannot be written: "
                + error.localizedDescription)
    }
}
