import Diagnostics
import DialectFiles
import FoundationEssentials
import Glibc

/// A search for the scenarios given on the command line as files, `FILE:LINE`, `FILE#ROW`,
/// folders, globs or `-`.
package enum ScenarioFinder {
    /// File name extension of scenarios.
    package static let ending = ".chat"
    package static let filesMax = 100_000
    /// Maximum depth of nested folders.
    package static let depthMax = 64

    /// Returns the scenarios that the arguments refer to, in order and without duplicates.
    /// Scenarios in a folder, or matching a glob, are sorted by path. Hidden folders and
    /// links to folders are skipped.
    ///
    /// - Throws: An error if an argument does not match anything.
    package static func find(_ words: [String]) throws(NothingFound) -> [FoundScenario] {
        var found: [FoundScenario] = []
        var indices: [String: Int] = [:]
        var identity = FileIdentity()
        for word in words {
            for scenario in try find(word) {
                let fullPath = identity.path(scenario.path)
                if let index = indices[fullPath] {
                    found[index].line = found[index].line ?? scenario.line
                    // A path without a row number selects all of the file's rows.
                    let earlier = found[index].rows
                    found[index].rows = earlier.flatMap { rows in scenario.rows?.union(rows) }
                } else if found.count < filesMax {
                    indices[fullPath] = found.count
                    found.append(scenario)
                }
            }
        }
        guard !found.isEmpty else {
            throw NothingFound("no scenario given", help: "pass scenario files or folders")
        }
        return found
    }

    private static func find(_ word: String) throws(NothingFound) -> [FoundScenario] {
        if word == "-" { return [FoundScenario(path: "-")] }
        switch kind(of: word) {
        case .file: return [FoundScenario(path: word)]
        case .folder:
            let paths = files(in: word).filter { $0.hasSuffix(ending) }
            guard !paths.isEmpty else {
                throw NothingFound(
                    "the folder \(shown(word)) contains no scenarios",
                    note: "searched for *\(ending) files in the folder and its subfolders")
            }
            return paths.map { path in
                var found = FoundScenario(path: path)
                found.root = word
                return found
            }
        case .special(let kind):
            throw NothingFound(
                "\(shown(word)) is \(kind), not a file",
                help: "pass a scenario file, or - to read from standard input")
        case .missing: break
        }
        if let (path, line) = fileAndLine(word) { return [FoundScenario(path: path, line: line)] }
        if let (file, row) = fileAndRow(word) {
            if kind(of: file) == .file { return [FoundScenario(path: file, rows: [row])] }
            if let (path, line) = fileAndLine(file) {
                return [FoundScenario(path: path, line: line, rows: [row])]
            }
        }
        if Glob.isPattern(word) { return try matches(of: word) }
        throw missing(word)
    }

    /// Splits `FILE:LINE`, or `FILE:LINE:COLUMN` as printed by compilers and editors; nil if the
    /// argument does not contain a line number.
    private static func fileAndLine(_ word: String) -> (String, Int)? {
        var parts = word.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while parts.count > 1, numbers.count < 2, let last = parts.last {
            if !last.isEmpty || numbers.count > 0 {
                guard let number = Int(last), number > 0 else { break }
                numbers.append(number)
            }
            parts.removeLast()
            let path = parts.joined(separator: ":")
            if let line = numbers.last, kind(of: path) == .file { return (path, line) }
        }
        return nil
    }

    /// Splits `FILE#ROW`; nil if the argument contains no row number.
    private static func fileAndRow(_ word: String) -> (String, Int)? {
        guard let mark = word.lastIndex(of: "#"), mark > word.startIndex,
            let row = Int(word[word.index(after: mark)...]), row > 0
        else { return nil }
        return (String(word[..<mark]), row)
    }

    private static func matches(of pattern: String) throws(NothingFound) -> [FoundScenario] {
        // Start the search in the folder before the first special character.
        let fixed = pattern.prefix { !"*?[".contains($0) }
        let folder = fixed.lastIndex(of: "/").map { String(fixed[...$0]) } ?? ""
        let glob = Glob(pattern)
        let paths = files(in: folder.isEmpty ? "." : folder)
            .map { folder.isEmpty && $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
            .filter { glob.matches($0) && $0.hasSuffix(ending) }
        guard !paths.isEmpty else {
            throw NothingFound(
                "no scenario matches \(shown(pattern))",
                note: "searched for *\(ending) files below \(shown(folder + "."))")
        }
        return paths.map { FoundScenario(path: $0) }
    }

    private static func missing(_ word: String) -> NothingFound {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let inside = folder.isEmpty ? (word.hasPrefix("/") ? "/" : ".") : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: inside)) ?? []
        let suggestion = suggestion(String(parts.last ?? ""), among: names.sorted())
        let path = suggestion.map { folder.isEmpty && inside == "." ? $0 : "\(folder)/\($0)" }
        return NothingFound(
            "no such file or folder: \(shown(word))",
            help: path.map { "did you mean \(shown($0))?" })
    }

    /// Returns the name most similar to `word`; nil if none is similar. A shared file name
    /// extension does not count as similarity.
    private static func suggestion(_ word: String, among names: [String]) -> String? {
        let isShort = word.count < ending.count + 4
        guard word.hasSuffix(ending), !isShort else { return didYouMean(word, among: names) }
        let stems = names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
        return didYouMean(String(word.dropLast(ending.count)), among: stems).map { $0 + ending }
    }

    private static func shown(_ path: String) -> String { "`\(escapedForDisplay(path))`" }

    // MARK: Files

    private enum Kind: Equatable {
        case file, folder, missing
        /// A device or pipe. Reading it could block forever.
        case special(String)
    }

    private static func kind(of path: String) -> Kind {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return .missing
        }
        if isFolder { return .folder }
        return TextFile.kindUnlessRegular(path).map(Kind.special) ?? .file
    }

    /// Returns all files in a folder and its subfolders, sorted by name within each
    /// folder.
    static func files(in folder: String) -> [String] {
        var files: [String] = []
        gather(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder, 0)
        return files

        func gather(_ folder: String, _ depth: Int) {
            let manager = FileManager.default
            guard depth < depthMax, files.count < filesMax,
                let names = try? manager.contentsOfDirectory(atPath: folder)
            else { return }
            for name in names.sorted() where !name.hasPrefix(".") {
                let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                switch kind(of: path) {
                case .file: if files.count < filesMax { files.append(path) }
                case .folder:
                    let isLink = (try? manager.destinationOfSymbolicLink(atPath: path)) != nil
                    if !isLink { gather(path, depth + 1) }
                case .missing, .special: break
                }
            }
        }
    }
}

/// A resolver that returns the same path for all spellings of a scenario file's path, such as
/// `a.chat`, `./a.chat` and `../here/a.chat`. A link to a file counts as a separate file, because
/// its dialect is looked up in the link's folder.
private struct FileIdentity {
    /// Resolved paths of the folders seen so far.
    private var folders: [String: String] = [:]

    /// Returns a path that is the same for all spellings of the path to a file.
    mutating func path(_ path: String) -> String {
        if path == "-" { return path }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let real = folders[folder] ?? LinkPolicy.real(folder) ?? folder
        folders[folder] = real
        return real + "/" + name
    }
}
