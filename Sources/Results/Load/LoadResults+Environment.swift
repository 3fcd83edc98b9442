extension LoadResults {

    /// The machine that generated the load.
    package struct Environment: Sendable, Codable, Equatable {
        /// Operating system, version and processor architecture, such as `Linux 6.12.1 x86_64`.
        package var system: String
        /// Number of processors that the process could use.
        package var processors: Int

        package init(system: String, processors: Int) {
            self.system = system
            self.processors = processors
        }
    }

    /// The capture that the latencies come from.
    package struct Capture: Sendable, Codable, Equatable {
        /// Name of the capture file or network interface.
        package var name: String
        package var packets: Int
        package var connections: Int
        package var lines: Int
        /// Number of lines that violate the dialect.
        package var broken: Int
        /// Number of bytes missing from the capture.
        package var missingBytes: Int

        package init(
            name: String, packets: Int, connections: Int, lines: Int, broken: Int,
            missingBytes: Int
        ) {
            self.name = name
            self.packets = packets
            self.connections = connections
            self.lines = lines
            self.broken = broken
            self.missingBytes = missingBytes
        }
    }
}
