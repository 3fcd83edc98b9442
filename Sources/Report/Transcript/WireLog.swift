import Foundation
package import Results
import Session

/// What went over the wire as JSON Lines: each an entry as it stands in results files.
package enum WireLog {
    /// The lines; each ends with a line end.
    package static func text(_ transcript: [TranscriptEntry]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try transcript.map { entry in
            let line = try encoder.encode(entry)
            return ResultsFile.harmless(String(decoding: line, as: UTF8.self)) + "\n"
        }.joined()
    }
}
