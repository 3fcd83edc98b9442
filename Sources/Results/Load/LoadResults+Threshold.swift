extension LoadResults {
    /// A threshold and the value that was measured for it.
    package struct ThresholdResult: Sendable, Codable, Equatable {
        package var text: String
        /// The measured value in the unit of the limit: nanoseconds, a count or a percentage; nil
        /// if nothing was measured.
        package var value: Double?
        package var verdict: Verdict
    }
}
