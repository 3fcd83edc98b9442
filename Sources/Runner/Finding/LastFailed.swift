package import Diagnostics
import DialectFiles
import FoundationEssentials
package import Results

/// Which scenarios failed when they were played last: a small file in a folder that the caller
/// chooses. Paths are kept whole, so that it does not matter from where one plays.
package struct LastFailed: Sendable, Hashable {
    /// The file's name in its folder.
    package static let fileName = "last-failed"
    /// The most bytes that are read of it.
    package static let fileBytesMax = 16 << 20
    private static let firstLine = "# linejudge last-failed 1"

    /// The whole paths.
    package private(set) var paths: Set<String> = []

    /// Nothing has failed.
    package init() {}

    /// Reads the file in a folder; where there is none, nothing has failed.
    package init(folder: String) {
        let path = "\(folder)/\(Self.fileName)"
        guard let bytes = try? TextFile.read(path, bytesMax: Self.fileBytesMax)
        else { return }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        guard lines.first == Self.firstLine else { return }
        paths = Set(lines.dropFirst())
    }

    /// Whether a scenario failed.
    package func contains(_ path: String) -> Bool { paths.contains(Self.whole(path)) }

    /// Takes over what a run found. What it did not play stays as it was.
    package mutating func update(with results: RunResults) {
        var passed: Set<String> = []
        var failed: Set<String> = []
        for result in results.scenarios where result.path != "-" {
            switch result.verdict {
            case .failed, .error, .inconclusive: failed.insert(Self.whole(result.path))
            case .passed, .flaky, .delayed, .observed, .knownFailure:
                passed.insert(Self.whole(result.path))
            case .skipped: break
            }
        }
        paths.subtract(passed)
        paths.formUnion(failed)
    }

    /// Writes the file, and its folder if there is none.
    package func write(folder: String) throws(Diagnosed) {
        let lines = [Self.firstLine] + paths.filter { !$0.contains("\n") }.sorted()
        let text = lines.joined(separator: "\n") + "\n"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try FileBytes.write(Array(text.utf8), to: "\(folder)/\(Self.fileName)")
        } catch {
            throw Diagnosed(
                Diagnostic(
                    .warning, .unreadable,
                    "what failed cannot be kept in `\(escapedForDisplay(folder))`: "
                        + escapedForDisplay(String(describing: error))))
        }
    }

    private static func whole(_ path: String) -> String {
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
