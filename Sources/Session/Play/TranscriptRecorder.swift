import LineProtocol

/// Writes down what goes over the connections, secrets masked before they are stored.
struct TranscriptRecorder {
    /// The most entries that are kept; when there are more, the older half is dropped.
    static let entriesMax = 20_000

    private(set) var entries: [TranscriptEntry] = []
    var start: Int64 = 0
    private let secrets: [[UInt8]]

    init(secrets: [[UInt8]]) {
        // The longest first, so that one that contains another is masked whole.
        self.secrets = secrets.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

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

    /// The bytes with each secret replaced by stars, whose number says nothing.
    func masked(_ bytes: [UInt8]) -> [UInt8] {
        secrets.reduce(bytes) { Self.replacing($1, in: $0) }
    }

    func masked(_ text: String) -> String {
        secrets.isEmpty ? text : String(decoding: masked(Array(text.utf8)), as: UTF8.self)
    }

    private static func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= secret.count else { return bytes }
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes.count - place >= secret.count,
                bytes[place..<(place + secret.count)].elementsEqual(secret)
            {
                result += Array("***".utf8)
                place += secret.count
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }
}
