import LineProtocol

/// Writes down what goes over the connections, secrets masked before they are stored.
struct TranscriptRecorder {
    /// The most entries that are kept; when there are more, the older half is dropped.
    static let entriesMax = 20_000

    private(set) var entries: [TranscriptEntry] = []
    var start: Int64 = 0
    private let mask: SecretMask

    init(secrets: [[UInt8]]) { mask = SecretMask(secrets) }

    mutating func record(
        _ kind: TranscriptEntry.Kind, _ operatorName: String, at time: Int64,
        _ bytes: [UInt8] = [], terminator: [UInt8] = [], payload: [UInt8]? = nil,
        role: TranscriptEntry.Role = .plain
    ) {
        if entries.count >= Self.entriesMax { entries.removeFirst(Self.entriesMax / 2) }
        entries.append(
            TranscriptEntry(
                time: time - start, operatorName: operatorName, kind: kind, bytes: masked(bytes),
                terminator: terminator, payload: payload.map(masked), role: role))
    }

    /// Gives the entry of a received line the role that it turned out to have.
    mutating func setLastRole(_ role: TranscriptEntry.Role) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].role = role
    }

    /// The bytes with each secret replaced by stars.
    func masked(_ bytes: [UInt8]) -> [UInt8] { mask.masked(bytes) }

    func masked(_ text: String) -> String { mask.masked(text) }
}
