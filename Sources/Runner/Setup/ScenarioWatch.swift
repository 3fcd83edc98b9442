package import Console
import FoundationEssentials

/// A watcher for changes to scenarios, and to other files in their folders that they may use.
package struct ScenarioWatch {
    private let words: [String]
    private var files: WatchedFiles

    package init(_ words: [String]) {
        self.words = words
        files = WatchedFiles(Self.paths(words))
    }

    /// Waits for a change. Returns false if a signal arrives first.
    package mutating func next(_ interruptions: Interruptions) async throws -> Bool {
        let changed: WatchedFiles? = await withTaskGroup(of: WatchedFiles?.self) { group in
            group.addTask { [words, files] in
                var watched = files
                let changes = try? await watched.next { Self.paths(words) }
                return changes == nil ? nil : watched
            }
            group.addTask {
                _ = await interruptions.next()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let changed else { return false }
        files = changed
        return true
    }

    private static let endings = [".chat", ".yaml", ".csv", ".jsonl", ".ndjson"]

    /// Returns the current paths of the scenarios, and of other files in their folders that
    /// they may use.
    private static func paths(_ words: [String]) -> [String] {
        let found = words.flatMap { word in (try? ScenarioFinder.find([word]))?.map(\.path) ?? [] }
        let folders = Set(found.map { URL(filePath: $0).deletingLastPathComponent().path })
        let others = folders.sorted().flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted()
                .map { "\(folder)/\($0)" }
        }
        return found + others.filter { !found.contains($0) }
    }
}
