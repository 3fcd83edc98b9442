/// A scenario given on the command line.
package struct FoundScenario: Sendable, Hashable {
    /// Path of the file; `-` for standard input.
    package var path: String
    /// Line number given as `FILE:LINE`; nil if none was given. It does not select anything by
    /// itself, but may be used in messages.
    package var line: Int?
    /// Numbers of the data rows given as `FILE#ROW`; nil for all rows.
    package var rows: Set<Int>?
    /// The folder where the scenario was found; nil if the file itself was given.
    package var root: String?

    package init(path: String, line: Int? = nil, rows: Set<Int>? = nil) {
        self.path = path
        self.line = line
        self.rows = rows
    }
}
