import FoundationEssentials

/// Paths in the project, relative to this file at compile time.
enum Project {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    static func path(_ relative: String) -> String { "\(root)/\(relative)" }
}
