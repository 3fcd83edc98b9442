import Foundation

/// A Swift file of the package: what it imports, declares and names.
struct SourceFile {
    /// The path below `Sources`.
    let path: String
    /// The modules that it imports.
    private(set) var imports: Set<String> = []
    /// The types that it declares for all files of its target.
    private(set) var declared: Set<String> = []
    /// The words that may be types of other files.
    private(set) var named: Set<String> = []
    /// Whether as many braces were closed as were opened, as they are in code that was understood.
    private(set) var isBalanced = true

    var target: String { String(path.prefix { $0 != "/" }) }

    /// The folder within the target; `.` if the file is in none.
    var folder: String {
        let folders = path.split(separator: "/").dropFirst().dropLast()
        return folders.isEmpty ? "." : folders.joined(separator: "/")
    }

    /// All Swift files below `Sources`.
    static func all() throws -> [SourceFile] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
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
