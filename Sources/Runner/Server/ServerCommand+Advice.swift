import Diagnostics
import FoundationEssentials
package import Results

/// Advice for commands that cannot start a server because they name something that does not exist.
extension ServerCommand {
    /// Throws an error if the command's program does not exist. A program in the server's own
    /// folder cannot be looked up yet.
    package func checkProgram() throws(CommandFailure) {
        guard let words = try? CommandWords(text, source: source), let program = words.words.first,
            !program.contains(Self.port), !program.contains(Self.folder),
            ProgramPath.find(program, path: words.path) == nil
        else { return }
        throw CommandFailure(.unavailable, programNotFound(program, path: words.path))
    }

    /// Returns the error for a program that cannot be run.
    ///
    /// - Parameter path: Folders to search for programs; nil for those in the `PATH` variable.
    func programNotFound(_ program: String, path: String?) -> Diagnosed {
        let shown = escapedForDisplay(program)
        let isPath = program.contains("/")
        var isFolder = false
        let isThere = FileManager.default.fileExists(atPath: program, isDirectory: &isFolder)
        if isThere, !isFolder, isPath {
            return error(
                .serverNotStarted, "`\(shown)` is not executable",
                help: "change its permissions, or start it with its interpreter")
        }
        let help: String
        if isThere {
            help =
                isFolder ? "it is a folder" : "to run the file in this folder, write `./\(shown)`"
        } else {
            let names = isPath ? [] : ProgramPath.names(path: path)
            let guess = Self.similarFile(program) ?? didYouMean(program, among: names)
            help =
                guess.map { "did you mean `\(escapedForDisplay($0))`?" }
                ?? (isPath ? "there is no such file" : "pass the full path")
        }
        return error(.serverNotStarted, "program not found: `\(shown)`", help: help)
    }

    /// An argument that looks like the misspelled path of a file, and the path of the file with a
    /// similar name; nil if there is none.
    var misspelledFile: (wrong: String, right: String)? {
        guard let words = try? CommandWords(text, source: source).words else { return nil }
        for word in words.dropFirst()
        where !word.hasPrefix("-") && !word.contains(Self.port) && !word.contains(Self.folder) {
            if let right = Self.similarFile(word) { return (word, right) }
        }
        return nil
    }

    /// Returns the path of a file whose name is similar to that of a file that does not exist; nil
    /// if the file exists, or no name is similar.
    private static func similarFile(_ path: String) -> String? {
        guard !path.contains(where: \.isWhitespace), !FileManager.default.fileExists(atPath: path)
        else { return nil }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let found = try? FileManager.default.contentsOfDirectory(
            atPath: folder.isEmpty ? "." : folder)
        return didYouMean(name, among: (found ?? []).sorted()).map { folder + $0 }
    }
}

extension CommandWords {
    /// The value that the command sets for the `PATH` variable; nil if it sets none.
    var path: String? { environment.last { $0.name == "PATH" }?.value }
}
