extension LoadResults {
    /// CPU use of the machine that generated the load, during the measurement period.
    package struct MachineUse: Sendable, Codable, Equatable {
        package var processors: Int
        /// Average number of busy cores, including CPU time given to other virtual machines.
        package var busyCores: Double
        /// Average number of cores that processes other than the observed ones used; nil if the
        /// server is an unobserved process on the same machine.
        package var otherCores: Double?
        /// Size of the machine's memory, in bytes; nil if unknown.
        package var memoryBytes: UInt64?

        package init(
            processors: Int, busyCores: Double, otherCores: Double? = nil,
            memoryBytes: UInt64? = nil
        ) {
            self.processors = processors
            self.busyCores = busyCores
            self.otherCores = otherCores
            self.memoryBytes = memoryBytes
        }

        /// Share of the machine's CPU time that other processes used, from 0 to 1; nil if unknown.
        package var otherShare: Double? {
            otherCores.map { min(max($0 / Double(max(processors, 1)), 0), 1) }
        }
    }

    /// CPU time that the server used for each message, in nanoseconds; nil if the server was not
    /// observed. The time includes the drain, because messages that are sent late are processed
    /// then.
    package var serverTimePerMessage: Double? {
        let times = (processes ?? []).filter { $0.role == "server" }.compactMap(\.processorTime)
        guard traffic.sent > 0, !times.isEmpty else { return nil }
        return times.reduce(0, +) / Double(traffic.sent)
    }

    /// The server's largest memory use, in bytes; nil if the server was not observed.
    package var serverMemory: UInt64? {
        let most = (processes ?? []).filter { $0.role == "server" }.compactMap { process in
            process.samples.map(\.residentBytes).max()
        }
        return most.isEmpty ? nil : most.reduce(0, &+)
    }

    /// Returns the average number of cores that processes with this role used during the
    /// measurement period; nil if there are no samples.
    package func cores(of role: String) -> Double? {
        let means = (processes ?? []).filter { $0.role == role }.compactMap { process in
            process.meanCores(in: 0...traffic.measuredNanoseconds)
        }
        return means.isEmpty ? nil : means.reduce(0, +)
    }
}
