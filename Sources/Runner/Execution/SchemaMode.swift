/// Treatment of server lines that violate the dialect's command table.
package enum SchemaMode: String, Sendable, Hashable, CaseIterable {
    /// Report them as warnings.
    case warn
    /// Report them, and fail the run.
    case fail
    /// Do not check lines against the table.
    case off
}
