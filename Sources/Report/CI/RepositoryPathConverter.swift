/// A converter of paths to the form that code hosts expect: relative to the root of the repository,
/// without `.` and `..`.
package struct RepositoryPathConverter: Sendable, Hashable {
    /// Path components of the repository's root, with and without symbolic links; empty if the
    /// location of the repository is unknown.
    private let roots: [[Substring]]
    /// Path components of the working directory, which relative paths start from.
    private let folder: [Substring]

    /// Creates a converter that only removes `.` and `..` from paths.
    package init() {
        roots = []
        folder = []
    }

    /// - Parameters:
    ///   - roots: Absolute paths of the repository, with and without symbolic links.
    ///   - folder: Absolute path of the working directory.
    package init(roots: [String], folder: String) {
        self.roots = roots.map { Self.names($0, from: []) }
        self.folder = Self.names(folder, from: [])
    }

    /// Returns the path relative to the repository, or the absolute path of a file outside it.
    package func path(_ path: String) -> String {
        let isAbsolute = path.hasPrefix("/")
        let names = Self.names(path, from: isAbsolute ? [] : folder)
        if let root = roots.first(where: { names.starts(with: $0) }) {
            return names.dropFirst(root.count).joined(separator: "/")
        }
        return (isAbsolute || !folder.isEmpty ? "/" : "") + names.joined(separator: "/")
    }

    /// Returns whether a location's path names a file: `--exec`, `<stdin>` and
    /// `built-in/irc.yaml` do not.
    static func isFile(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("-") && !path.hasPrefix("<") && !isBuiltIn(path)
    }

    /// Returns whether a path is that of a built-in dialect.
    static func isBuiltIn(_ path: String) -> Bool { path.hasPrefix("built-in/") }

    /// Splits a path into components and resolves `.` and `..`. In a relative path, a `..` that
    /// leads out of the known folders is kept.
    private static func names(_ path: String, from folder: [Substring]) -> [Substring] {
        var names = folder
        let isRooted = path.hasPrefix("/") || !folder.isEmpty
        for name in path.split(separator: "/") where name != "." {
            if name == "..", let last = names.last, last != ".." {
                names.removeLast()
            } else if name != ".." || !isRooted {
                names.append(name)
            }
        }
        return names
    }
}
