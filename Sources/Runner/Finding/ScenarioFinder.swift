import Diagnostics
import DialectFiles
import FoundationEssentials
import Glibc

/// Finds scenarios by the words of a command line: files, `FILE:LINE`, folders, globs and `-`.
package enum ScenarioFinder {
    /// What the names of scenarios end in.
    package static let ending = ".chat"
    /// The most files that are taken.
    package static let filesMax = 100_000
    /// How deep folders are searched.
    package static let depthMax = 64

    /// The scenarios that the words name, in their order; those of a folder or glob sorted by path,
    /// and each only once, however it is spelt. Hidden folders are passed over; links to folders are not followed.
    ///
    /// - Throws: if a word names nothing.
    package static func find(_ words: [String]) throws(NothingFound) -> [FoundScenario] {
        var found: [FoundScenario] = []
        var places: [String: Int] = [:]
        var identity = FileIdentity()
        for word in words {
            for scenario in try find(word) {
                let whole = identity.path(scenario.path)
                if let place = places[whole] {
                    found[place].line = found[place].line ?? scenario.line
                } else if found.count < filesMax {
                    places[whole] = found.count
                    found.append(scenario)
                }
            }
        }
        guard !found.isEmpty else {
            throw NothingFound("no scenario is named", help: "name a file or a folder with some")
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
                    "the folder \(shown(word)) has no scenario",
                    note: "looked for files that end in \(ending), in folders within it too")
            }
            return paths.map { FoundScenario(path: $0) }
        case .special(let kind):
            throw NothingFound(
                "\(shown(word)) is \(kind), not a file",
                help: "name a scenario's file, or - to read it from standard input")
        case .missing: break
        }
        if let (path, line) = fileAndLine(word) { return [FoundScenario(path: path, line: line)] }
        if Glob.isPattern(word) { return try matches(of: word) }
        throw missing(word)
    }

    /// `FILE:LINE`, also with a column after it, as compilers and editors write it.
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

    private static func matches(of pattern: String) throws(NothingFound) -> [FoundScenario] {
        // The folder before the first special character is where the search starts.
        let fixed = pattern.prefix { !"*?[".contains($0) }
        let folder = fixed.lastIndex(of: "/").map { String(fixed[...$0]) } ?? ""
        let glob = Glob(pattern)
        let paths = files(in: folder.isEmpty ? "." : folder)
            .map { folder.isEmpty && $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0 }
            .filter { glob.matches($0) && $0.hasSuffix(ending) }
        guard !paths.isEmpty else {
            throw NothingFound(
                "no scenario matches \(shown(pattern))",
                note: "looked for files that end in \(ending), below \(shown(folder + "."))")
        }
        return paths.map { FoundScenario(path: $0) }
    }

    private static func missing(_ word: String) -> NothingFound {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let inside = folder.isEmpty ? (word.hasPrefix("/") ? "/" : ".") : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: inside)) ?? []
        let meant = meant(String(parts.last ?? ""), among: names.sorted())
        let path = meant.map { folder.isEmpty && inside == "." ? $0 : "\(folder)/\($0)" }
        return NothingFound(
            "there is no file or folder \(shown(word))",
            help: path.map { "did you mean \(shown($0))?" })
    }

    /// The name that is like a word. What both end in makes them no more alike.
    private static func meant(_ word: String, among names: [String]) -> String? {
        let isShort = word.count < ending.count + 4
        guard word.hasSuffix(ending), !isShort else { return didYouMean(word, among: names) }
        let stems = names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
        return didYouMean(String(word.dropLast(ending.count)), among: stems).map { $0 + ending }
    }

    private static func shown(_ path: String) -> String { "`\(escapedForDisplay(path))`" }

    // MARK: Files

    private enum Kind: Equatable {
        case file, folder, missing
        /// A device or a pipe, which could keep a reader for ever.
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

    /// Every file in a folder and those within it, sorted: by name within a folder, folders where
    /// their name stands.
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

/// Tells whether two paths name one scenario: `a.chat`, `./a.chat` and `../here/a.chat`. A link to a
/// file is one of its own, because its dialect is looked for beside it.
private struct FileIdentity {
    /// The real paths of the folders that were asked for.
    private var folders: [String: String] = [:]

    /// The path that all spellings of a file share.
    mutating func path(_ path: String) -> String {
        if path == "-" { return path }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let real = folders[folder] ?? Self.real(folder) ?? folder
        folders[folder] = real
        return real + "/" + name
    }

    private static func real(_ folder: String) -> String? {
        guard let path = unsafe realpath(folder, nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
