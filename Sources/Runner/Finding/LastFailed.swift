package import Diagnostics
import Console
import DialectFiles
import FoundationEssentials
package import Results

/// The scenarios that failed in the last run, stored in a small file in a folder chosen by the
/// caller. Paths are absolute, so that they do not depend on the working directory.
package struct LastFailed: Sendable, Hashable {
    package static let fileName = "last-failed"
    package static let fileBytesMax = 16 << 20
    private static let firstLine = "# linejudge last-failed 1"

    /// Absolute paths of failed scenarios. A failed data row is listed as `PATH#ROW`.
    private var entries: Set<String> = []
    /// Numbers of failed data rows, by scenario path.
    private var rows: [String: Set<Int>] = [:]

    /// Creates an empty list.
    package init() {}

    /// Reads the list from a folder. If there is no file, the list is empty.
    package init(folder: String) {
        let path = "\(folder)/\(Self.fileName)"
        guard let bytes = try? TextFile.read(path, bytesMax: Self.fileBytesMax)
        else { return }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        guard lines.first == Self.firstLine else { return }
        entries = Set(lines.dropFirst())
        rows = Self.rows(in: entries)
    }

    /// Number of failed scenarios and data rows.
    package var count: Int { entries.count }

    /// Returns true if the scenario, or one of its data rows, failed in the last run.
    package func contains(_ path: String) -> Bool {
        let path = Self.absolutePath(path)
        return entries.contains(path) || rows[path] != nil
    }

    /// Returns the numbers of the failed data rows; nil if the scenario failed as a whole.
    package func rows(of path: String) -> Set<Int>? {
        let path = Self.absolutePath(path)
        return entries.contains(path) ? nil : rows[path]
    }

    private static func rows(in entries: Set<String>) -> [String: Set<Int>] {
        var rows: [String: Set<Int>] = [:]
        for entry in entries {
            guard let mark = entry.lastIndex(of: "#"),
                let row = Int(entry[entry.index(after: mark)...])
            else { continue }
            rows[String(entry[..<mark]), default: []].insert(row)
        }
        return rows
    }

    /// Updates the list with the results of a run. Scenarios that were not run keep their state.
    package mutating func update(with results: RunResults) {
        var passed: Set<String> = []
        var failed: Set<String> = []
        for result in results.scenarios where result.path != "-" {
            let path = Self.absolutePath(result.path)
            let entry = result.row.map { "\(path)#\($0)" } ?? path
            switch result.verdict {
            case .failed, .error, .inconclusive: failed.insert(entry)
            case .passed, .flaky, .delayed, .observed, .knownFailure: passed.insert(entry)
            case .skipped: continue
            }
            // Remove entries from before the scenario gained or lost its data rows.
            if result.row != nil {
                passed.insert(path)
            } else {
                passed.formUnion((rows[path] ?? []).map { "\(path)#\($0)" })
            }
        }
        entries.subtract(passed)
        entries.formUnion(failed)
        rows = Self.rows(in: entries)
    }

    /// Writes the file. Creates the folder if necessary.
    package func write(folder: String) throws(Diagnosed) {
        let lines = [Self.firstLine] + entries.filter { !$0.contains("\n") }.sorted()
        let text = lines.joined(separator: "\n") + "\n"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try OutputFile(path: "\(folder)/\(Self.fileName)")
                .writeUnmasked(Array(text.utf8))
        } catch {
            throw Diagnosed(
                Diagnostic(
                    .warning, .unreadable,
                    "cannot save the list of failed scenarios in `\(escapedForDisplay(folder))`: "
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
