import Results

/// What a process is told that makes a part of a load.
package struct WorkerJob: Sendable, Codable, Equatable {
    /// What was typed after `linejudge`: the process reads it as the first one did.
    package var arguments: [String]
    /// The plan's text, where there is one: it may have come from standard input.
    package var plan: String?
    /// Where the server listens, and how it speaks.
    package var server: String
    package var dialect: String
    /// What the first process drew by chance.
    package var seed: UInt64
    package var run: UInt32
    /// Of the open model, a rate that is held instead of what was typed.
    package var rate: Double?
    /// How long is measured, in nanoseconds.
    package var duration: Int64
    /// Which part of the load it is.
    package var share: LoadShare
    /// Before this time of the clock that never goes back nobody connects.
    package var connectAt: Int64

    /// A job from its parts; the share is set for each process.
    package init(
        arguments: [String], plan: String?, server: String, dialect: String, seed: UInt64,
        run: UInt32, rate: Double?, duration: Int64, connectAt: Int64 = 0
    ) {
        self.arguments = arguments
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

/// What the first process says while the load goes on.
enum WorkerOrder: Sendable, Codable, Equatable {
    /// The load begins at this time of the clock that never goes back, which all processes of a machine share.
    case start(Int64)
    /// From a time of the load on it has another rate.
    case rate(RateChange)
    /// It ends early: what is under way may still arrive.
    case stop
}

/// What a process says of its part.
enum WorkerNews: Sendable, Codable {
    case moment(LoadSnapshot, time: Int64)
    case second(LoadSecond, number: Int)
    /// All of its operators are in their rooms, or never will be.
    case isSetUp
    /// Nothing listens.
    case failure(String)
    /// It cannot even begin.
    case refusal(String)
    /// It is over.
    case report(OperatorPool.Report)
}
