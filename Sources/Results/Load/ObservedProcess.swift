/// A process that was observed during a load test, including its child processes.
package struct ObservedProcess: Sendable, Codable, Equatable {
    /// Role of the process: `server` or `generator`.
    package var role: String
    package var pid: Int
    package var program: String
    package var samples: [Sample]
    /// Number of files that the process may open; nil if unknown.
    package var filesMax: Int?
    /// The time at which the process was found to have ended; nil if it was still running at the
    /// end.
    package var endNanoseconds: Int64?

    package init(role: String, pid: Int, program: String, samples: [Sample] = []) {
        self.role = role
        self.pid = pid
        self.program = program
        self.samples = samples
    }

    /// Returns the average number of cores used in a period; nil if there are no samples in it.
    package func meanCores(in period: ClosedRange<Int64>) -> Double? {
        mean(in: period) { $0.cores }
    }

    /// CPU time used since the start of the measurement period, in nanoseconds; nil if there are no
    /// samples after it, or if none was taken near the start, so that earlier work would count.
    package var processorTime: Double? {
        guard let last = samples.last?.timeNanoseconds, last > 0,
            samples.contains(where: { abs($0.timeNanoseconds) <= last / Self.startShare })
        else { return nil }
        return mean(in: 0...last) { $0.cores }.map { $0 * Double(last) }
    }

    /// The sample nearest to the start of the measurement period must be within this part of the
    /// observed time.
    private static let startShare: Int64 = 20

    /// Returns the average of a value in a period; nil if no sample has the value. Each sample
    /// counts for the part of the period since the previous sample.
    package func mean(
        in period: ClosedRange<Int64>, _ value: (Sample) -> Double?
    ) -> Double? {
        var (sum, time) = (0.0, 0.0)
        for (last, sample) in zip(samples, samples.dropFirst()) {
            guard let value = value(sample) else { continue }
            let begin = max(last.timeNanoseconds, period.lowerBound)
            let end = min(sample.timeNanoseconds, period.upperBound)
            guard end > begin else { continue }
            sum += value * Double(end - begin)
            time += Double(end - begin)
        }
        return time > 0 ? sum / time : nil
    }

    /// A process's resource use, sampled about once a second.
    package struct Sample: Sendable, Codable, Equatable {
        /// Time since the start of the measurement period; negative before it.
        package var timeNanoseconds: Int64
        /// Average number of cores used since the previous sample; 0 in the first sample.
        package var cores: Double
        package var residentBytes: UInt64
        package var threads: Int
        /// Number of processes, including child processes.
        package var processes: Int
        /// Number of open files; nil if the process may not be inspected.
        package var files: Int?
        /// Context switches per second, voluntary and involuntary.
        package var contextSwitchesPerSecond: Double
        /// Page faults per second that required reading from disk.
        package var majorFaultsPerSecond: Double
        package var minorFaultsPerSecond: Double
        /// Average number of threads that were ready to run but waited for a CPU since the previous
        /// sample; nil if unknown.
        package var waitingThreads: Double?
        /// Sockets on the server's port; nil if they were not counted in this second.
        package var sockets: SocketCounts?

        package init(
            timeNanoseconds: Int64, cores: Double = 0, residentBytes: UInt64 = 0, threads: Int = 0,
            processes: Int = 1, files: Int? = nil, contextSwitchesPerSecond: Double = 0,
            majorFaultsPerSecond: Double = 0, minorFaultsPerSecond: Double = 0,
            sockets: SocketCounts? = nil
        ) {
            self.timeNanoseconds = timeNanoseconds
            self.cores = cores
            self.residentBytes = residentBytes
            self.threads = threads
            self.processes = processes
            self.files = files
            self.contextSwitchesPerSecond = contextSwitchesPerSecond
            self.majorFaultsPerSecond = majorFaultsPerSecond
            self.minorFaultsPerSecond = minorFaultsPerSecond
            self.sockets = sockets
        }
    }

    /// Sockets on this machine that are bound to the server's port.
    package struct SocketCounts: Sendable, Codable, Equatable {
        package var established: Int
        /// Sockets that the client has closed, but the server has not closed yet.
        package var closeWait: Int
        package var timeWait: Int
        /// Bytes that the server has not read yet.
        package var receiveQueueBytes: UInt64
        /// Bytes that the clients have not acknowledged yet.
        package var sendQueueBytes: UInt64

        package init(
            established: Int = 0, closeWait: Int = 0, timeWait: Int = 0,
            receiveQueueBytes: UInt64 = 0, sendQueueBytes: UInt64 = 0
        ) {
            self.established = established
            self.closeWait = closeWait
            self.timeWait = timeWait
            self.receiveQueueBytes = receiveQueueBytes
            self.sendQueueBytes = sendQueueBytes
        }
    }
}
