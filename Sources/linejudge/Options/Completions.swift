import ArgumentParser
import DialectFiles
import FoundationEssentials
import Runner

extension CompletionKind {
    /// Completes built-in dialects and profiles, and paths of dialect files.
    static let dialect = CompletionKind.custom { _, _, prefix in
        let listings = DialectLibrary.listings(beside: "")
        let names = listings.flatMap { listing in
            [listing.name] + listing.profiles.map { "\(listing.name)+\($0)" }
        }
        return names.filter { $0.hasPrefix(prefix) }
            + CompletionFiles.matching(prefix, endings: [".yaml", ".yml"])
    }

    /// Completes tags from the scenarios on the command line, or from all scenarios below the
    /// working directory.
    static let tag = CompletionKind.custom { words, _, prefix in
        let named = words.filter {
            !$0.hasPrefix("-") && FileManager.default.fileExists(atPath: $0)
        }
        let paths = named.filter { !$0.hasSuffix("linejudge") }
        let found = (try? ScenarioFinder.find(paths.isEmpty ? ["."] : paths)) ?? []
        let tags = found.prefix(CompletionFiles.scenariosMax)
            .flatMap { ScenarioLoader(dialectDefault: nil).load($0).tags }
        return Set(tags).filter { $0.hasPrefix(prefix) }.sorted()
    }
}

/// Completion of file paths.
private enum CompletionFiles {
    /// Maximum number of scenarios read to find tags.
    static let scenariosMax = 500

    /// Returns folders that start with the prefix, and files that also have one of the
    /// extensions.
    static func matching(_ prefix: String, endings: [String]) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))
            ?? []
        return names.sorted().compactMap { name in
            let path = folder + name
            guard path.hasPrefix(prefix), !name.hasPrefix(".") else { return nil }
            var isFolder = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                return nil
            }
            if isFolder { return path + "/" }
            return endings.contains(where: name.hasSuffix) ? path : nil
        }
    }
}
