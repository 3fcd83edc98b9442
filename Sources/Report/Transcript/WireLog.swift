package import Results

/// What went over the wire as JSON Lines: each an entry as it stands in results files.
package enum WireLog {
    /// The lines; each ends with a line end.
    package static func text(_ transcript: [TranscriptEntry]) throws -> String {
        try transcript.map { try ResultsFile.line($0) }.joined()
    }
}
