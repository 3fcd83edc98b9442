import Glibc
import Synchronization

/// The policy on following symbolic links when opening scenarios, dialects and the files that they
/// refer to.
package enum LinkPolicy {
    private static let isConfined = Atomic(false)

    /// Turns on the policy: from now on, links that lead out of the folder specified by the user or
    /// a scenario are refused.
    package static func confine() { isConfined.store(true, ordering: .relaxed) }

    /// Returns the folder that links must not lead out of when a scenario in `folder` refers to the
    /// file `name`. For `../a.chat`, that is the parent of `folder`.
    package static func root(of name: String, in folder: String) -> String {
        if name.hasPrefix("/") { return self.folder(of: name) }
        let up = name.split(separator: "/").prefix { $0 == ".." || $0 == "." }
        return ([folder.isEmpty ? "." : folder] + up.map(String.init)).joined(separator: "/")
    }

    /// Returns the folder of a file; `.` if the path has none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Throws an error if the policy is on and the path leads out of the folder `root`.
    static func check(_ path: String, within root: String) throws(TextFile.Failure) {
        guard isConfined.load(ordering: .relaxed), !path.hasPrefix("/dev/"),
            let target = real(path), let folder = real(root)
        else { return }
        guard target.hasPrefix(folder == "/" ? "/" : folder + "/") else {
            throw TextFile.Failure(
                reason: .unreadable,
                description:
                    "it is a link to a file outside its folder (use --follow-links to allow this)"
            )
        }
    }

    /// Returns the path with all symbolic links resolved; nil if there is no such file.
    package static func real(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
