package import Transport

/// Settings of `load` for waiting for the server, the search for a rate, and live output.
package struct LoadDisplay: Sendable {
    /// How long to wait for a running server, in nanoseconds; nil to try only once.
    package var wait: Int64?
    /// True to search for the highest rate at which the thresholds hold.
    package var findsRate = false
    /// Address for Prometheus metrics; nil to serve none.
    package var metrics: ListenAddress?
    /// Address for the live page; nil to serve none.
    package var live: ListenAddress?
    /// A report file that all shards write; nil if there is none.
    package var sharedReport: String?

    package init() {}
}
