package import LineProtocol
package import Results

extension CommandTableTally {
    /// Counts the complete lines of a scenario run. Lines from the server with masked parts are
    /// not checked.
    ///
    /// - Parameters:
    ///   - file: path of the scenario, shown in reports about lines that violate the dialect.
    package mutating func note(
        _ transcript: [TranscriptEntry], of file: String? = nil
    ) {
        for entry in transcript where entry.omittedBytes == 0 || entry.payload == nil {
            switch entry.kind {
            case .received
            where !entry.terminator.isEmpty || !isTerminated:
                note(
                    line: entry.bytes, payload: entry.payload,
                    terminatorBytes: entry.terminator.count,
                    omittedBytes: entry.omittedBytes, from: .fromServer,
                    isChecked: !entry.isMasked,
                    at: file.map {
                        SchemaReport.Location(
                            file: $0, line: entry.line, operatorName: entry.operatorName)
                    })
            case .sent where entry.omittedBytes == 0:
                note(line: entry.bytes, payload: entry.payload, from: .fromClient)
            default: break
            }
        }
    }
}
