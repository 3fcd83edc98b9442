import LineProtocol

/// Writes down what goes over the connections, secrets masked before they are stored.
struct TranscriptRecorder {
    /// The most entries that are kept; when there are more, the older half is dropped.
    static let entriesMax = 20_000
    /// The most bytes that all entries may have; when there are more, the older half is dropped.
    static let bytesMax = 32 << 20
    /// The most bytes that are kept of one line, and of one payload.
    static let entryBytesMax = 256 << 10

    private(set) var entries: [TranscriptEntry] = []
    /// How many entries were dropped.
    private(set) var dropped = 0
    var start: Int64 = 0
    private var byteCount = 0
    private let mask: SecretMask

    init(secrets: [[UInt8]]) { mask = SecretMask(secrets) }

    /// Adds an entry and returns its number.
    @discardableResult
    mutating func record(
        _ kind: TranscriptEntry.Kind, _ operatorName: String, at time: Int64,
        _ bytes: [UInt8] = [], terminator: [UInt8] = [], payload: [UInt8]? = nil,
        role: TranscriptEntry.Role = .plain
    ) -> Int {
        var entry = TranscriptEntry(
            time: time - start, operatorName: operatorName, kind: kind, bytes: masked(bytes),
            terminator: terminator, payload: payload.map(masked), role: role)
        cut(&entry)
        if entries.count >= Self.entriesMax { drop(Self.entriesMax / 2) }
        byteCount += Self.size(entry)
        entries.append(entry)
        if byteCount > Self.bytesMax { dropBytes() }
        return dropped + entries.count - 1
    }

    /// Gives an entry the role that its line turned out to have.
    mutating func setRole(_ role: TranscriptEntry.Role, of entry: Int) {
        guard entries.indices.contains(entry - dropped) else { return }
        entries[entry - dropped].role = role
    }

    /// Keeps the start of what is too long, and says how much is left out.
    private func cut(_ entry: inout TranscriptEntry) {
        func kept(_ bytes: [UInt8]) -> [UInt8] {
            let excess = bytes.count - Self.entryBytesMax
            guard excess > 0 else { return bytes }
            entry.omittedBytes += excess
            return Array(bytes.prefix(Self.entryBytesMax))
        }
        entry.bytes = kept(entry.bytes)
        entry.payload = entry.payload.map(kept)
    }

    private mutating func dropBytes() {
        var count = 0
        var left = byteCount
        while count < entries.count - 1, left > Self.bytesMax / 2 {
            left -= Self.size(entries[count])
            count += 1
        }
        drop(count)
    }

    private mutating func drop(_ count: Int) {
        byteCount -= entries.prefix(count).reduce(0) { $0 + Self.size($1) }
        entries.removeFirst(count)
        dropped += count
    }

    private static func size(_ entry: TranscriptEntry) -> Int {
        entry.bytes.count + (entry.payload?.count ?? 0)
    }

    /// The bytes with each secret replaced by stars.
    func masked(_ bytes: [UInt8]) -> [UInt8] { mask.masked(bytes) }

    func masked(_ text: String) -> String { mask.masked(text) }
}
