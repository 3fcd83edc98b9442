/// A record of TLS that has been received completely.
struct TLSRecord: Equatable {
    /// Type of a record's content.
    enum Content {
        static let changeCipherSpec: UInt8 = 20
        static let handshake: UInt8 = 22
        static let application: UInt8 = 23
    }

    /// Length of a record's header in bytes.
    static let headerBytes = 5

    var type: UInt8
    /// Range of the record, with its header, in the reader's bytes.
    var range: Range<Int>

    var body: Range<Int> { (range.lowerBound + Self.headerBytes)..<range.upperBound }

    /// Returns whether the bytes start with an SSL 3 or TLS handshake record.
    static func starts(_ bytes: Span<UInt8>) -> Bool {
        // The record contains a ClientHello or a ServerHello.
        bytes.count >= 6 && mayStart(bytes) && (bytes[5] == 1 || bytes[5] == 2)
    }

    /// Returns whether the bytes may be the start of a handshake record's header.
    static func mayStart(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0] == Content.handshake else { return false }
        if bytes.count > 1, bytes[1] != 3 || bytes.count > 2 && bytes[2] > 4 { return false }
        guard bytes.count >= headerBytes else { return true }
        let length = Int(bytes.big16(3))
        return length >= 4 && length <= TLSRecordReader.bodyBytesMax
    }
}

/// A reader that divides one direction of a stream into TLS records. After a gap, it searches for the
/// header of the next record.
struct TLSRecordReader {
    /// Maximum length of a record without its header, in bytes (RFC 5246 §6.2.3).
    static let bodyBytesMax = 16_384 + 2_048
    /// Maximum number of bytes between the last complete record and the next one after a gap.
    static let lostBytesMax = 1 << 20
    /// Capacity above which an empty buffer is released, in bytes.
    private static let keptBytesMax = 4_096

    enum Step: Equatable {
        case record(TLSRecord)
        /// The bytes look like an encrypted record, but may be part of one.
        case candidate(TLSRecord)
        case incomplete
        /// The bytes are not a record.
        case malformed
        /// Too many bytes have been searched without success.
        case lost
    }

    private(set) var bytes: [UInt8] = []
    private var offset = 0
    /// Number of bytes until the end of a record of which a part is missing.
    private var skipping = 0
    /// True if the start of the next record has to be found.
    private(set) var isSearching = false
    /// Number of bytes between the end of the last record and `offset` that belong to unknown
    /// records.
    private(set) var lostBytes = 0
    /// True if bytes have been searched in vain since the last gap.
    private(set) var hasSearched = false

    /// Number of bytes held.
    var heldBytes: Int { bytes.count - offset }

    mutating func append(_ added: Span<UInt8>) {
        let skipped = min(skipping, added.count)
        skipping -= skipped
        guard skipped < added.count else { return }
        let rest = added.extracting(skipped..<added.count)
        unsafe rest.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Continues after missing bytes. Returns the number of records that are certainly incomplete
    /// because of the gap, and that do not count as ``lostBytes``.
    mutating func gap(_ count: Int) -> Int {
        defer {
            bytes = []
            offset = 0
        }
        if isSearching {
            lostBytes += heldBytes + count
            return 0
        }
        if skipping > 0 {
            lostBytes = max(0, count - skipping)
            isSearching = lostBytes > 0
            skipping = max(0, skipping - count)
            return 0
        }
        if heldBytes >= TLSRecord.headerBytes, let record = header() {
            let missing = record.range.upperBound - bytes.count
            lostBytes = max(0, count - missing)
            isSearching = lostBytes > 0
            skipping = max(0, missing - count)
            return 1
        }
        lostBytes = heldBytes + count
        isSearching = true
        return 0
    }

    /// The record whose header is at the current offset; nil if the bytes are not a header.
    private func header() -> TLSRecord? {
        let type = bytes[offset]
        let count = Int(bytes.span.big16(offset + 3))
        guard (20...24).contains(type), bytes[offset + 1] == 3, count <= Self.bodyBytesMax else {
            return nil
        }
        return TLSRecord(type: type, range: offset..<(offset + TLSRecord.headerBytes + count))
    }

    /// Returns the next record, or the next bytes that may be a record. A candidate stays the next
    /// one until ``accept(_:)`` or ``reject()`` is called.
    ///
    /// - Parameter bodyBytesMin: Minimum length of an encrypted record without its header.
    mutating func next(bodyBytesMin: Int) -> Step {
        while heldBytes >= TLSRecord.headerBytes {
            guard isSearching else {
                guard let record = header() else { return .malformed }
                guard record.range.upperBound <= bytes.count else { return .incomplete }
                offset = record.range.upperBound
                return .record(record)
            }
            guard lostBytes <= Self.lostBytesMax else { return .lost }
            // Encrypted records have the version 3.3 even in TLS 1.3.
            if let record = header(), bytes[offset + 2] == 3, record.body.count >= bodyBytesMin {
                guard record.range.upperBound <= bytes.count else { return .incomplete }
                return .candidate(record)
            }
            reject()
        }
        return .incomplete
    }

    /// Returns the last record to the reader.
    mutating func putBack(_ record: TLSRecord) { offset = record.range.lowerBound }

    /// Ends the search with a candidate that is a record.
    mutating func accept(_ candidate: TLSRecord) {
        isSearching = false
        hasSearched = false
        lostBytes = 0
        offset = candidate.range.upperBound
    }

    /// Continues the search after the first byte of a candidate.
    mutating func reject() {
        hasSearched = true
        offset += 1
        lostBytes += 1
    }

    /// Removes the records that have been returned from the buffer.
    mutating func compact() {
        if offset == bytes.count {
            if bytes.capacity > Self.keptBytesMax {
                bytes = []
            } else {
                bytes.removeAll(keepingCapacity: true)
            }
        } else {
            bytes.removeFirst(offset)
        }
        offset = 0
    }

    /// Removes all bytes.
    mutating func removeAll() {
        bytes = []
        offset = 0
    }
}
