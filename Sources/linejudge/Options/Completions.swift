import ArgumentParser
import DialectFiles
import FoundationEssentials
import Runner

extension CompletionKind {
    /// Completes the names of built-in dialects, their profiles, and dialect files.
    static let dialect = CompletionKind.custom { _, _, prefix in
        let listings = DialectLibrary.listings(beside: "")
        let names = listings.flatMap { listing in
            [listing.name] + listing.profiles.map { "\(listing.name)+\($0)" }
        }
        return names.filter { $0.hasPrefix(prefix) }
            + CompletionFiles.matching(prefix, endings: [".yaml", ".yml"])
    }

    /// Completes tags of the scenarios on the command line, or of all scenarios below the working
    /// directory.
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

/// Finder of files whose names complete a word.
private enum CompletionFiles {
    /// Maximum number of scenarios that are read to find their tags.
    static let scenariosMax = 500

    /// Returns folders, and files with one of the extensions, whose names start with the prefix.
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

extension ReportForm {
    /// Values of `--report` with a file name that suits the format, such as `html=report.html`.
    static var completions: [String] {
        allCases.map { format in
            let ending =
                switch format.rawValue {
                case "pretty": "txt"
                case "junit": "xml"
                case "markdown": "md"
                default: format.rawValue
                }
            return format.needsNoFile ? format.rawValue : "\(format.rawValue)=report.\(ending)"
        }
    }
}
