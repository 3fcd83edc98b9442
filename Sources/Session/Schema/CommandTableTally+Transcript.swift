package import LineProtocol
package import Results

extension CommandTableTally {
    /// Records the complete lines of a scenario run.
    ///
    /// - Parameters:
    ///   - file: path of the scenario, for reports about lines that violate the dialect.
    ///   - isMasked: true if secrets were masked; lines with masked parts are then skipped.
    package mutating func note(
        _ transcript: [TranscriptEntry], of file: String? = nil, isMasked: Bool = false
    ) {
        for entry in transcript where entry.omittedBytes == 0 {
            switch entry.kind {
            case .received where !entry.terminator.isEmpty || !isTerminated:
                if isMasked, SecretMask.isPresent(in: entry.bytes) { continue }
                note(
                    line: entry.bytes, payload: entry.payload,
                    terminatorBytes: entry.terminator.count, from: .fromServer,
                    at: file.map {
                        SchemaReport.Location(
                            file: $0, line: entry.line, operatorName: entry.operatorName)
                    })
            case .sent: note(line: entry.bytes, payload: entry.payload, from: .fromClient)
            default: break
            }
        }
    }
}
