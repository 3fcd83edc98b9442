import DialectFiles

/// Paths of files as seen from another folder.
enum RelativePath {
    /// Returns the path of a file relative to a folder, or the path as given if either does not
    /// exist.
    static func path(of file: String, from folder: String) -> String {
        guard let start = LinkPolicy.real(folder),
            let parent = LinkPolicy.real(LinkPolicy.folder(of: file)),
            let name = file.split(separator: "/").last
        else { return file }
        let from = start.split(separator: "/")
        let to = parent.split(separator: "/")
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let up = from.dropFirst(shared).map { _ in ".." }
        return (up + to.dropFirst(shared).map(String.init) + [String(name)]).joined(separator: "/")
    }
}
