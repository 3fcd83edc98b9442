package import Capture
import Console
package import LiveCapture
package import Recorder
package import Report
package import TransportTLS

/// The captures to decode and the output to produce, as given on the command line.
package struct DecodeRequest: Sendable {
    /// Paths of captures; `-` for standard input. Empty for a network interface.
    package var paths: [String]
    /// Dialects and the ports they apply to; nil applies to every port not listed.
    package var dialects: [(name: String, port: UInt16?)] = []
    package var options = DecodeOptions()
    /// Path of a TLS key log; nil if there is none.
    package var keys: String?
    /// A filter in tcpdump's syntax; nil for all packets.
    package var packetFilter: String?
    /// The interface to capture from; nil to read files.
    package var interface: InterfaceRequest?
    /// Time after which to stop, in nanoseconds; nil for no limit.
    package var duration: Int64?
    /// File for the packets of selected connections; nil to write none.
    package var slice: String?
    package var reports: [RequestedReport<LoadReportFormat>] = []
    package var scenario = ScenarioWriting.Options()
    package var verification = ScenarioVerification()
    /// True to fail if a line violates the dialect.
    package var isStrict = false
    /// True to fail if a delivery is missing, duplicated, altered or out of order.
    package var expectsDeliveries = false
    package var colours = Colours(.auto)

    package init(_ paths: [String]) { self.paths = paths }

    /// True if the captures are regular files that are read as a set: several files, or one that
    /// may have to be read twice for a slice.
    var readsFileSet: Bool {
        guard paths.count == 1, paths != ["-"] else { return paths.count > 1 }
        return slice != nil && !options.follows && CaptureFileSet.isRegular(paths[0])
    }
}

/// Settings for running a scenario before it is written.
package struct ScenarioVerification: Sendable {
    /// Address of the server; nil for the reference server.
    package var server: String?
    /// True to run the scenario.
    package var isRequested = false
    package var trust = ServerTrust()

    package init() {}
}
