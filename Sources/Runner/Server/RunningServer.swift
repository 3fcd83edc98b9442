public import Transport

/// A server under test that listens.
public struct RunningServer: Sendable {
    /// Where it listens.
    public var endpoint: Endpoint
    /// Its process.
    public var processID: Int
    /// A folder of its own, which is deleted in the end.
    public var folder: String
    /// What it writes.
    public var output: ServerOutput
    let group: ProcessGroup

    /// How it ended before it was asked to, such as `exited with 1`; nil while it runs.
    public var earlyEnd: String? { group.end }
}
