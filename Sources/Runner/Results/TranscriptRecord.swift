package import Session

/// A line of a transcript as it stands in a results file.
package struct TranscriptRecord: Codable, Sendable {
    var timeNanoseconds: Int64
    var `operator`: String
    var kind: String
    var bytes: ByteText?
    var terminator: ByteText?
    var payload: ByteText?
    var role: String?
    var line: Int?

    /// The form of a line.
    package init(_ entry: TranscriptEntry) {
        timeNanoseconds = entry.time
        `operator` = entry.operatorName
        kind = entry.kind.rawValue
        bytes = entry.bytes.isEmpty ? nil : ByteText(entry.bytes)
        terminator = entry.terminator.isEmpty ? nil : ByteText(entry.terminator)
        payload = entry.payload.map(ByteText.init)
        role = entry.role == .plain ? nil : entry.role.rawValue
        line = entry.line
    }

    /// The line; an error where a word is not known.
    package var entry: TranscriptEntry {
        get throws {
            TranscriptEntry(
                time: timeNanoseconds, operatorName: `operator`,
                kind: try known(kind, "kind of transcript line"), bytes: bytes?.bytes ?? [],
                terminator: terminator?.bytes ?? [], payload: payload?.bytes,
                role: try role.map { try known($0, "role of a line") } ?? .plain, line: line)
        }
    }
}
