/// Settings of `check` for its output, its failure files and waiting for servers.
package struct CheckDisplay: Sendable {
    /// True to show a line for every check.
    package var showsAll = false
    /// Folder for a scenario, a transcript and a capture of each failure; nil to write none.
    package var folder: String?
    /// How long to wait for servers not started by this command, in nanoseconds; nil to try only
    /// once.
    package var wait: Int64?

    package init() {}
}
