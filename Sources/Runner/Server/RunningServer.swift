import Glibc
package import Transport

/// A server under test that is accepting connections.
package struct RunningServer: Sendable {
    /// The server's listening address.
    package var endpoint: Endpoint
    package var processID: Int
    /// Folder for the server's own use. It is deleted when the server stops.
    package var folder: String
    package var output: ServerOutput
    let group: ProcessGroup

    /// Description of how the server ended prematurely, such as `exited with 1`; nil while it is
    /// running.
    package var earlyEnd: String? { group.end }

    /// Waits until the server has ended, at most for `timeout` nanoseconds.
    package func waitForEnd(_ timeout: Int64) async { await group.waitForEnd(timeout) }

    /// Asks the server to end.
    package func terminate() { group.send(SIGTERM) }
}
