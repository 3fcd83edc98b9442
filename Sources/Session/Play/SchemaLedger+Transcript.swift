public import LineProtocol

extension SchemaLedger {
    /// Takes the lines of a play, those that were kept whole.
    public mutating func note(_ transcript: [TranscriptEntry]) {
        for entry in transcript where entry.omittedBytes == 0 {
            switch entry.kind {
            case .received where !entry.terminator.isEmpty || !isTerminated:
                note(
                    line: entry.bytes, payload: entry.payload,
                    terminatorBytes: entry.terminator.count, from: .fromServer)
            case .sent: note(line: entry.bytes, payload: entry.payload, from: .fromClient)
            default: break
            }
        }
    }
}
