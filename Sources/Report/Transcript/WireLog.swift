package import Results

/// Log of sent and received lines in JSON Lines format, with the same entries as in results files.
package enum WireLog {
    /// Encodes the transcript with one entry per line.
    package static func text(_ transcript: [TranscriptEntry]) throws -> String {
        try transcript.map { try ResultsFile.line($0) }.joined()
    }
}
