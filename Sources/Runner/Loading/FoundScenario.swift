/// A scenario named on the command line.
package struct FoundScenario: Sendable, Hashable {
    /// Path of the file; `-` for standard input.
    package var path: String
    /// Line given as `FILE:LINE`; nil if none was given. It does not affect which scenarios are
    /// selected, but callers may refer to it.
    package var line: Int?
    /// Numbers of the rows given as `FILE#ROW`; nil for all.
    package var rows: Set<Int>?

    package init(path: String, line: Int? = nil, rows: Set<Int>? = nil) {
        self.path = path
        self.line = line
        self.rows = rows
    }
}
