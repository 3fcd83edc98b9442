import LineProtocol

/// The reason a connection, or a part of it, cannot be decrypted.
package enum TLSProblem: Sendable, Hashable {
    /// The version or cipher suite is not supported; the name is a version and a cipher suite.
    case unsupported(String)
    /// The key log has other secrets of the session, but not those for its data.
    case noSecret
    /// The secrets in the key log do not decrypt the session.
    case wrongSecret
    /// A record has been damaged.
    case damaged
    /// The next record after a gap, or its number, could not be found.
    case gap
    /// The capture does not contain the whole hello of the client or of the server.
    case noHandshake
    /// The bytes are not TLS records.
    case malformed
    /// Too many bytes of incomplete records are held.
    case limit
    /// The early data before the handshake is left out, because the key log has no secret for it.
    case noEarlySecret
    /// The server did not accept the client's early data.
    case earlyDataRefused

    /// True if nothing that follows can be decrypted.
    package var isFinal: Bool { self != .noEarlySecret && self != .earlyDataRefused }

    /// Description of the problem.
    package var reason: String {
        switch self {
        case .unsupported(let name): "\(name) is not supported"
        case .noSecret: "the key log lacks the secret"
        case .wrongSecret: "the secret in the key log is wrong"
        case .damaged: "a record is damaged"
        case .gap: "the next record could not be found after a gap"
        case .noHandshake: "the start of the handshake is missing"
        case .malformed: "the bytes are not TLS"
        case .limit: "too much data in incomplete records"
        case .noEarlySecret: "the key log has no secret for early data"
        case .earlyDataRefused: "the server did not accept the early data"
        }
    }

    /// Name of the problem in JSON Lines.
    package var word: String {
        switch self {
        case .unsupported: "unsupported"
        case .noSecret: "no-secret"
        case .wrongSecret: "wrong-secret"
        case .damaged: "damaged"
        case .gap: "gap"
        case .noHandshake: "no-handshake"
        case .malformed: "malformed"
        case .limit: "limit"
        case .noEarlySecret: "no-early-secret"
        case .earlyDataRefused: "early-data-refused"
        }
    }
}

/// What has been found in the bytes of TLS connections since it was last emptied.
final class TLSOutput {
    enum Event {
        /// Decrypted bytes, as a range of ``bytes``.
        case content(Direction, Range<Int>)
        /// The key log has no secrets for the connection.
        case unknownSession
        /// The key log has secrets for the connection.
        case knownSession
        case details(TLSDetails)
        case problem(TLSProblem, Direction?)
    }

    /// Maximum number of bytes to decrypt in vain in search of records after gaps, in a whole capture.
    static let trialBytesMax = 1 << 30
    /// Minimum number of bytes to count for a trial, because each has a fixed cost.
    private static let trialBytesMin = 256
    /// Capacity above which an empty buffer is released, in bytes.
    private static let keptBytesMax = 1 << 17

    var bytes: [UInt8] = []
    var events: [Event] = []
    /// Buffer for the content of one record.
    private var content = [UInt8](repeating: 0, count: TLSRecordReader.bodyBytesMax)
    private let trialBytesMax: Int
    private var trialBytes = 0

    init(trialBytesMax: Int = TLSOutput.trialBytesMax) { self.trialBytesMax = trialBytesMax }

    /// Decrypts a record, and appends its content to ``bytes``. Returns false if the record is not
    /// authentic.
    func open(_ record: Span<UInt8>, _ cipher: TLSCipher, sequence: UInt64) -> Bool {
        guard let count = cipher.open(record, sequence: sequence, into: &content) else {
            return false
        }
        bytes += content[..<count]
        return true
    }

    /// False if too many bytes have been decrypted in vain.
    var canTry: Bool { trialBytes <= trialBytesMax }

    /// Counts an attempt to decrypt a record that has failed. Returns false if there were too many.
    func countTrial(_ bytes: Int) -> Bool {
        trialBytes += max(bytes, Self.trialBytesMin)
        return canTry
    }

    func removeAll() {
        events.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytesMax)
    }
}
