extension LoadResults {
    /// A threshold with the measured value.
    package struct ThresholdResult: Sendable, Codable, Equatable {
        package var text: String
        /// In the unit of the limit: nanoseconds, a count or a percentage; nil if nothing was
        /// measured.
        package var value: Double?
        package var verdict: Verdict
    }
}
