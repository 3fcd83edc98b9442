extension LoadResults {
    /// Numbers of operators that reached their rooms or failed to.
    package struct Operators: Sendable, Codable, Equatable {
        package var ready: UInt64
        package var failed: UInt64
        package var unconnected: UInt64
        /// Number of operators that failed because the generator's machine lacked ports, file
        /// descriptors or memory.
        package var unconnectedHere: UInt64
        package var failures: [Evidence]

        package init(
            ready: UInt64, failed: UInt64, unconnected: UInt64, unconnectedHere: UInt64,
            failures: [Evidence]
        ) {
            self.ready = ready
            self.failed = failed
            self.unconnected = unconnected
            self.unconnectedHere = unconnectedHere
            self.failures = failures
        }
    }

    /// Progress of all operators at one point during the ramp.
    package struct RampPoint: Sendable, Codable, Equatable {
        package var timeNanoseconds: Int64
        package var connected: Int
        package var ready: Int
        package var failed: Int

        package init(timeNanoseconds: Int64, connected: Int, ready: Int, failed: Int) {
            self.timeNanoseconds = timeNanoseconds
            self.connected = connected
            self.ready = ready
            self.failed = failed
        }
    }

}
