/// Results of a search for the highest sustainable rate.
package struct RateSearchResults: Sendable, Codable, Equatable {
    /// The thresholds that had to be met, in addition to correct delivery.
    package var thresholds: [String]
    package var steps: [Step]
    /// The highest rate that passed; nil if none did.
    package var ratePerSecond: Double?
    /// True if the rate passed again in a second load test.
    package var isConfirmed: Bool
    /// The lowest rate that failed; nil if none did.
    package var brokenPerSecond: Double?
    /// True if a higher rate failed because of the generator, which means that the server may
    /// be able to handle more.
    package var isBoundByGenerator: Bool
    /// The resource that was saturated at the lowest rate that failed, as a phrase; nil if
    /// unknown.
    package var saturation: String?

    package init(
        thresholds: [String], steps: [Step], ratePerSecond: Double? = nil,
        isConfirmed: Bool, brokenPerSecond: Double? = nil, isBoundByGenerator: Bool,
        saturation: String? = nil
    ) {
        self.thresholds = thresholds
        self.steps = steps
        self.ratePerSecond = ratePerSecond
        self.isConfirmed = isConfirmed
        self.brokenPerSecond = brokenPerSecond
        self.isBoundByGenerator = isBoundByGenerator
        self.saturation = saturation
    }

    /// The outcome of a load test at one rate.
    package enum Outcome: String, Sendable, Codable {
        case passed, failed
        /// The generator was the bottleneck, so the step reveals nothing about the server.
        case inconclusive

        package init(from decoder: any Decoder) throws {
            self = try known(
                EarlierNames.searchOutcome(try String(from: decoder)), "search outcome")
        }
    }

    /// One load test of a search, at a single rate.
    package struct Step: Sendable, Codable, Equatable {
        package var ratePerSecond: Double
        package var purpose: String
        package var outcome: Outcome
        package var achievedPerSecond: Double
        package var thresholds: [LoadResults.ThresholdResult]
        package var reasons: [String]
        /// Average number of cores that the server used; nil if the server was not observed.
        package var serverCores: Double?
        package var serverThreads: Int?
        package var generatorCores: Double?
        /// The server's largest memory use, in bytes; nil if the server was not observed.
        package var serverMemoryBytes: UInt64?
        /// Size of the machine's memory, in bytes; nil if unknown.
        package var machineMemoryBytes: UInt64?
        /// Largest number of files that the server had open; nil if unknown.
        package var serverFiles: Int?
        /// Number of files that the server may open; nil if unknown.
        package var serverFilesMax: Int?
        /// Largest number of unread bytes in the server's sockets; nil if they were not counted.
        package var receiveQueueBytes: UInt64?
        /// Connections that were dropped because the server's accept queue was full; nil if
        /// unknown.
        package var listenOverflows: UInt64?

        package init(
            ratePerSecond: Double, purpose: String, outcome: Outcome,
            achievedPerSecond: Double,
            thresholds: [LoadResults.ThresholdResult], reasons: [String]
        ) {
            self.ratePerSecond = ratePerSecond
            self.purpose = purpose
            self.outcome = outcome
            self.achievedPerSecond = achievedPerSecond
            self.thresholds = thresholds
            self.reasons = reasons
        }
    }
}
