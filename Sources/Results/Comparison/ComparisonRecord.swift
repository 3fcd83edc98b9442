/// A comparison as stored in a JSON file, with the `linejudge.comparison/1` schema.
package struct ComparisonRecord: Sendable, Codable, Equatable {
    package static let schema = "linejudge.comparison/1"

    package var schema = Self.schema
    package var toolVersion: String
    /// Comparisons of the first result with each of the others.
    package var comparisons: [Entry]

    /// A comparison of two results.
    package struct Entry: Sendable, Codable, Equatable {
        package var verdict: Verdict
        /// The results: the baseline, and the one compared with it.
        package var results: [Side]
        /// Largest accepted deterioration of a figure, as a fraction.
        package var tolerance: Double
        /// Joint confidence level of all intervals, from 0 to 1.
        package var confidence: Double
        package var figures: [Figure]
        /// Reasons for an inconclusive verdict, and other notes.
        package var doubts: [String]
        package var notes: [String]
    }

    /// One of the compared results.
    package struct Side: Sendable, Codable, Equatable {
        package var letter: String
        package var name: String
        package var description: String
    }

    /// A compared figure.
    package struct Figure: Sendable, Codable, Equatable {
        package var group: String
        package var name: String
        package var unit: String
        /// Values in the two results; nil if a result lacks the figure.
        package var before: Double?
        package var after: Double?
        /// Relative change, as a fraction; nil if undefined.
        package var change: Double?
        /// Interval of the difference, in the figure's unit; nil for counts.
        package var low: Double?
        package var high: Double?
        package var finding: String
    }

    package init(_ comparisons: [Comparison], toolVersion: String) {
        self.toolVersion = toolVersion
        self.comparisons = comparisons.map { comparison in
            Entry(
                verdict: comparison.verdict,
                results: [
                    Side(
                        letter: comparison.letters.0, name: comparison.names.0,
                        description: comparison.abouts.0),
                    Side(
                        letter: comparison.letters.1, name: comparison.names.1,
                        description: comparison.abouts.1),
                ], tolerance: comparison.tolerance, confidence: comparison.confidence,
                figures: comparison.figures.map { figure in
                    Figure(
                        group: figure.group, name: figure.name, unit: figure.unit.rawValue,
                        before: figure.values.first ?? nil, after: figure.values.last ?? nil,
                        change: figure.change, low: figure.interval?.low,
                        high: figure.interval?.high, finding: figure.finding.rawValue)
                }, doubts: comparison.doubts + comparison.noiseDoubts, notes: comparison.notes)
        }
    }
}
