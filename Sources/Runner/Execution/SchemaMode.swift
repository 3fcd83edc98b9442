/// How server lines that violate the dialect's command table are handled.
package enum SchemaMode: String, Sendable, Hashable, CaseIterable {
    /// Report them.
    case warn
    /// Report them and fail the run.
    case fail
    /// Do not check lines.
    case off
}
