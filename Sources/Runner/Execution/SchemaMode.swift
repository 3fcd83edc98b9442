/// What is made of a server's lines that break their dialect's command table.
package enum SchemaMode: String, Sendable, Hashable, CaseIterable {
    /// They are told.
    case warn
    /// They are told, and the run has failed.
    case fail
    /// No line is looked at.
    case off
}
