package import Console
import Diagnostics
import DialectFiles
import FoundationEssentials
package import Report
import Results
import Synchronization

/// The log of a GitHub Actions job, with groups, annotations and a step summary. Elsewhere, it is
/// plain text.
package final class CILog: Sendable {
    private let job: GitHubJob?
    private let openGroup = Mutex<Output?>(nil)

    package init(_ job: GitHubJob?) { self.job = job }

    /// True if the log supports workflow commands.
    var hasCommands: Bool { job != nil }

    /// Starts a collapsible group for the following lines in `output`, unless a group is already
    /// open.
    func beginGroup(_ title: String, in output: Output) {
        guard hasCommands else { return }
        openGroup.withLock { open in
            guard open == nil else { return }
            output.writeUnfiltered(GitHubCommand.group(title))
            open = output
        }
    }

    /// Ends the open group, if there is one.
    func endGroup() {
        openGroup.withLock { open in
            open?.writeUnfiltered(GitHubCommand.endGroup)
            open = nil
        }
    }

    /// Writes a report. Its collapsible parts become groups.
    func write(_ parts: [ReportPart], to output: Output) {
        for part in parts {
            guard hasCommands, let title = part.title else {
                output.write(part.text)
                continue
            }
            beginGroup(title, in: output)
            output.write(part.text)
            endGroup()
        }
    }

    /// Writes annotations.
    ///
    /// - Parameter text: Returns the workflow commands. Its argument converts their paths.
    package func annotate(
        in output: Output, _ text: (RepositoryPathConverter) throws -> String
    ) rethrows {
        guard hasCommands else { return }
        output.writeUnfiltered(try text(paths))
    }

    /// Conversion of paths for annotations.
    var paths: RepositoryPathConverter {
        let folder = FileManager.default.currentDirectoryPath
        return job?.paths(in: folder, resolvedBy: LinkPolicy.real) ?? RepositoryPathConverter()
    }

    /// Appends Markdown to the step summary. If that fails, only prints a warning.
    func summarise(_ markdown: () throws -> String) rethrows {
        guard let path = job?.summaryPath else { return }
        let text = try markdown()
        do {
            try OutputFile(path: path).append(Array(text.utf8))
        } catch {
            let failure = CommandFailure(writing: "step summary", path, error)
            let warnings = failure.diagnostics.map { diagnostic in
                var warning = diagnostic
                warning.severity = .warning
                return warning
            }
            Output.error.write(DiagnosticRenderer().text(warnings))
        }
    }
}
