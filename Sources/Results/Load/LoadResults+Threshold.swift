extension LoadResults {
    /// A threshold with the measured value.
    package struct ThresholdResult: Sendable, Codable, Equatable {
        package var text: String
        /// The measured value in the unit of the limit: nanoseconds, a count or a percentage. Nil
        /// if nothing was measured.
        package var value: Double?
        package var verdict: Verdict
    }
}
