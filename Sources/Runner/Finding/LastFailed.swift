package import Diagnostics
import DialectFiles
import FoundationEssentials
package import Results

/// The scenarios that failed in the last run, stored in a small file in a folder that the caller
/// chooses. Paths are absolute, so that they do not depend on the working directory.
package struct LastFailed: Sendable, Hashable {
    package static let fileName = "last-failed"
    /// Maximum number of bytes read.
    package static let fileBytesMax = 16 << 20
    private static let firstLine = "# linejudge last-failed 1"

    /// Absolute paths of the failed scenarios.
    package private(set) var paths: Set<String> = []

    /// Creates an empty list.
    package init() {}

    /// Reads the file in a folder. If there is none, the list is empty.
    package init(folder: String) {
        let path = "\(folder)/\(Self.fileName)"
        guard let bytes = try? TextFile.read(path, bytesMax: Self.fileBytesMax)
        else { return }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        guard lines.first == Self.firstLine else { return }
        paths = Set(lines.dropFirst())
    }

    /// Returns true if the scenario failed.
    package func contains(_ path: String) -> Bool { paths.contains(Self.absolutePath(path)) }

    /// Updates the list with the results of a run. Scenarios that did not run keep their state.
    package mutating func update(with results: RunResults) {
        var passed: Set<String> = []
        var failed: Set<String> = []
        for result in results.scenarios where result.path != "-" {
            switch result.verdict {
            case .failed, .error, .inconclusive: failed.insert(Self.absolutePath(result.path))
            case .passed, .flaky, .delayed, .observed, .knownFailure:
                passed.insert(Self.absolutePath(result.path))
            case .skipped: break
            }
        }
        paths.subtract(passed)
        paths.formUnion(failed)
    }

    /// Writes the file, creating the folder if necessary.
    package func write(folder: String) throws(Diagnosed) {
        let lines = [Self.firstLine] + paths.filter { !$0.contains("\n") }.sorted()
        let text = lines.joined(separator: "\n") + "\n"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try FileWriter.write(Array(text.utf8), to: "\(folder)/\(Self.fileName)")
        } catch {
            throw Diagnosed(
                Diagnostic(
                    .warning, .unreadable,
                    "cannot save the failed scenarios in `\(escapedForDisplay(folder))`: "
                        + escapedForDisplay(String(describing: error))))
        }
    }

    private static func absolutePath(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
