import Foundation
import RepositoryFiles

/// A Swift file of the package with its imports, declarations and references.
struct SourceFile {
    /// The path relative to `Sources`.
    let path: String
    /// The imported modules.
    private(set) var imports: Set<String> = []
    /// The declared types that other files of the target can use.
    private(set) var declared: Set<String> = []
    /// The words that may be types from other files.
    private(set) var named: Set<String> = []
    /// True if every brace was closed, as in code that was parsed correctly.
    private(set) var isBalanced = true

    var target: String { String(path.prefix { $0 != "/" }) }

    /// The folder within the target; `.` if there is none.
    var folder: String {
        let folders = path.split(separator: "/").dropFirst().dropLast()
        return folders.isEmpty ? "." : folders.joined(separator: "/")
    }

    /// All Swift files in `Sources`.
    static func all() throws -> [SourceFile] {
        let root = Repository.root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let bytes = try Data(contentsOf: root.appending(path: path))
            return SourceFile(path: path, code: Array(bytes))
        }
    }

    init(path: String, code: [UInt8]) {
        self.path = path
        let declaring: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var own: Set<String> = []
        var words = CodeWords(code)
        var (previous, isPrivate, line) = ("", false, 0)
        while let word = words.next() {
            if word.line != line { (isPrivate, line) = (false, word.line) }
            if word.text == "private" || word.text == "fileprivate" { isPrivate = true }
            if previous == "import" {
                imports.insert(word.text)
            } else if word.text.first?.isUppercase == true {
                if declaring.contains(previous) {
                    own.insert(word.text)
                    if word.depth == 0, !isPrivate { declared.insert(word.text) }
                } else if !word.isMember {
                    named.insert(word.text)
                }
            }
            previous = word.text
        }
        named.subtract(own)
        isBalanced = words.depth == 0
    }
}
