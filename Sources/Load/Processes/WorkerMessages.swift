import Results

/// The job of a child process that generates part of a load test.
package struct WorkerJob: Sendable, Codable, Equatable {
    /// Command-line arguments, which the child process parses again.
    package var arguments: [String]
    /// Contents of the plan, possibly read from standard input by the parent; nil if there is none.
    package var plan: String?
    /// The server's address and dialect.
    package var server: String
    package var dialect: String
    /// Seed and run number, chosen by the parent.
    package var seed: UInt64
    package var run: UInt32
    /// Rate that replaces the plan's rates in the open model; nil to use the plan's.
    package var rate: Double?
    /// Length of the measurement period, in nanoseconds.
    package var duration: Int64
    /// The child's share of the load test.
    package var share: LoadShare
    /// Earliest monotonic time to connect.
    package var connectAt: Int64
    /// Values the server reported for scenarios' `needs` lines.
    package var offers: [String: [UInt8]]

    /// Creates a job. The share is set later, for each process.
    package init(
        arguments: [String], plan: String?, server: String, dialect: String, seed: UInt64,
        run: UInt32, rate: Double?, duration: Int64, connectAt: Int64 = 0,
        offers: [String: [UInt8]] = [:]
    ) {
        self.arguments = arguments
        self.offers = offers
        self.plan = plan
        self.server = server
        self.dialect = dialect
        self.seed = seed
        self.run = run
        self.rate = rate
        self.duration = duration
        share = LoadShare()
        self.connectAt = connectAt
    }
}

/// An order from the parent while the load test runs.
enum WorkerOrder: Sendable, Codable, Equatable {
    /// Starts the load test at a monotonic time. All processes on a machine share the monotonic
    /// clock.
    case start(Int64)
    /// Multiplies the rate, or pauses or resumes sending.
    case rate(RateChange)
    /// Ends the load test early; messages in flight may still be delivered.
    case stop
}

/// A message from a child process to its parent.
enum WorkerMessage: Sendable, Codable {
    case snapshot(LoadSnapshot, time: Int64)
    case second(LoadSecond, number: Int)
    /// Examples of violations found so far.
    case evidence([Violation])
    /// All operators of the process have finished setup.
    case isSetUp
    /// The load test cannot continue, for this reason, for example because the server cannot be
    /// reached.
    case failure(String)
    /// The process refuses its job, for this reason.
    case refusal(String)
    /// The final results.
    case report(WorkerReport)
}
