import Results

/// The job of a child process that generates part of a load.
package struct WorkerJob: Sendable, Codable, Equatable {
    /// Command-line arguments, which the child process parses again.
    package var arguments: [String]
    /// Text of the plan, which the parent may have read from standard input; nil if there is none.
    package var plan: String?
    /// Address and dialect of the server.
    package var server: String
    package var dialect: String
    /// Random values that the parent chose.
    package var seed: UInt64
    package var run: UInt32
    /// Rate that replaces the given one in the open model.
    package var rate: Double?
    /// Measured time in nanoseconds.
    package var duration: Int64
    /// The child's part of the load.
    package var share: LoadShare
    /// Earliest monotonic time to connect.
    package var connectAt: Int64
    /// The server's values for the scenarios' `needs` lines.
    package var offers: [String: [UInt8]]

    /// Creates a job. Its share is set for each process.
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

/// Order from the parent while the load runs.
enum WorkerOrder: Sendable, Codable, Equatable {
    /// Start the load at a monotonic time. All processes on a machine share this clock.
    case start(Int64)
    /// Change the rate.
    case rate(RateChange)
    /// End early; messages in flight may still be delivered.
    case stop
}

/// Message from a child process.
enum WorkerNews: Sendable, Codable {
    case snapshot(LoadSnapshot, time: Int64)
    case second(LoadSecond, number: Int)
    /// All of its operators have finished their setup.
    case isSetUp
    /// The server cannot be reached.
    case failure(String)
    /// The job is invalid.
    case refusal(String)
    /// The final results.
    case report(OperatorPool.Report)
}
