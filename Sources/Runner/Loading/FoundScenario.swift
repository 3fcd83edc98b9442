/// A scenario that is to be played.
package struct FoundScenario: Sendable, Hashable {
    /// Its path; `-` for standard input.
    package var path: String
    /// The line that was named with it, as `FILE:LINE`. A file is one scenario, so the line selects
    /// all of it; it is kept for whoever wants to point at it.
    package var line: Int?

    /// A scenario by its path.
    package init(path: String, line: Int? = nil) {
        self.path = path
        self.line = line
    }
}
