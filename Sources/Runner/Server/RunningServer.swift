package import Transport

/// A server under test that listens.
package struct RunningServer: Sendable {
    /// Where it listens.
    package var endpoint: Endpoint
    /// Its process.
    package var processID: Int
    /// A folder of its own, which is deleted in the end.
    package var folder: String
    /// What it writes.
    package var output: ServerOutput
    let group: ProcessGroup

    /// How it ended before it was asked to, such as `exited with 1`; nil while it runs.
    package var earlyEnd: String? { group.end }
}
