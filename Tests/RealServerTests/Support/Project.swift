import FoundationEssentials

/// Where things are in the project, from where this file was compiled.
enum Project {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    static func path(_ relative: String) -> String { "\(root)/\(relative)" }
}
