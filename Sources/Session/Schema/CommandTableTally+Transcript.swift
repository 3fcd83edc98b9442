package import LineProtocol
package import Results

extension CommandTableTally {
    /// Takes the lines of a play, those that were kept whole.
    ///
    /// - Parameters:
    ///   - file: the scenario's file, for what is said of lines that break the dialect.
    ///   - isMasked: whether secrets were hidden: what stars stand in instead of a secret is not judged.
    package mutating func note(
        _ transcript: [TranscriptEntry], of file: String? = nil, isMasked: Bool = false
    ) {
        for entry in transcript where entry.omittedBytes == 0 {
            switch entry.kind {
            case .received where !entry.terminator.isEmpty || !isTerminated:
                if isMasked, SecretMask.stands(in: entry.bytes) { continue }
                note(
                    line: entry.bytes, payload: entry.payload,
                    terminatorBytes: entry.terminator.count, from: .fromServer,
                    at: file.map {
                        SchemaReport.Place(
                            file: $0, line: entry.line, operatorName: entry.operatorName)
                    })
            case .sent: note(line: entry.bytes, payload: entry.payload, from: .fromClient)
            default: break
            }
        }
    }
}
