package import Transport

/// A server under test that is accepting connections.
package struct RunningServer: Sendable {
    /// Address on which the server listens.
    package var endpoint: Endpoint
    package var processID: Int
    /// Folder for the server's own use, which is deleted when the server stops.
    package var folder: String
    /// Captured output.
    package var output: ServerOutput
    let group: ProcessGroup

    /// Describes how the server ended prematurely, such as `exited with 1`; nil while it is
    /// running.
    package var earlyEnd: String? { group.end }
}
