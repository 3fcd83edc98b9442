import LineProtocol

/// The keys of a period of one direction, until they are replaced.
struct TLSEpoch {
    /// The periods in their order.
    enum Stage: Int, Comparable {
        /// Data that a client sends together with its hello.
        case early
        /// The encrypted handshake of TLS 1.3.
        case handshake
        case traffic

        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
    }

    var stage: Stage
    var cipher: TLSCipher
    /// The secret that the next keys are derived from; empty in TLS 1.2.
    var secret: [UInt8]
    var algorithm: TLSAlgorithm

    /// Creates the keys of TLS 1.3; nil if the secret does not fit the cipher.
    init?(_ stage: Stage, _ secret: [UInt8], _ algorithm: TLSAlgorithm) {
        guard secret.count == algorithm.hashBytes else { return nil }
        let count = TLSCipher.vectorBytes(algorithm, isTLS13: true)
        let cipher = TLSCipher(
            algorithm, isTLS13: true,
            key: TLSDerivation.expand(secret, "key", count: algorithm.keyBytes, algorithm),
            vector: TLSDerivation.expand(secret, "iv", count: count, algorithm))
        guard let cipher else { return nil }
        self.stage = stage
        self.cipher = cipher
        self.secret = secret
        self.algorithm = algorithm
    }

    /// Creates the keys of TLS 1.2.
    ///
    /// - Parameter randoms: The random values of the server and the client, in this order.
    init?(
        master: [UInt8], randoms: [UInt8], _ direction: Direction, _ algorithm: TLSAlgorithm
    ) {
        let keyBytes = algorithm.keyBytes
        let vectorBytes = TLSCipher.vectorBytes(algorithm, isTLS13: false)
        let block = TLSDerivation.expand(
            master: master, "key expansion", randoms, count: 2 * (keyBytes + vectorBytes),
            algorithm)
        let side = direction == .fromClient ? 0 : 1
        let key = block[(side * keyBytes)..<((side + 1) * keyBytes)]
        let vector = block[(2 * keyBytes + side * vectorBytes)...].prefix(vectorBytes)
        guard
            let cipher = TLSCipher(
                algorithm, isTLS13: false, key: Array(key), vector: Array(vector))
        else { return nil }
        stage = .traffic
        self.cipher = cipher
        secret = []
        self.algorithm = algorithm
    }

    /// The keys after a KeyUpdate (RFC 8446 §7.2); nil in TLS 1.2.
    var updated: TLSEpoch? {
        guard stage == .traffic, !secret.isEmpty else { return nil }
        let next = TLSDerivation.expand(secret, "traffic upd", count: secret.count, algorithm)
        return TLSEpoch(.traffic, next, algorithm)
    }
}

/// One direction of a TLS connection: its records, and its position in the sequence of records.
final class TLSStream {
    let direction: Direction
    var records = TLSRecordReader()
    /// The keys in use; nil while records are not encrypted.
    private(set) var epoch: TLSEpoch?
    /// The keys that may be used next; nil if they still have to be derived.
    var following: [TLSEpoch]?
    /// Number of the next record with the current keys.
    private(set) var sequence: UInt64 = 0
    /// Minimum and maximum number of records that were lost or skipped since the last record that
    /// was decrypted.
    var lostMin: UInt64 = 0
    var lostMax: UInt64 = 0
    /// Number of records that could not be decrypted since the last one that could.
    var skipped = 0
    /// True if there was a gap since the last record that was decrypted.
    var isAfterGap = false
    /// True once a record has been decrypted.
    private(set) var hasDecrypted = false
    /// True while records wait for the server's hello.
    var isWaiting = false
    private(set) var isEnded = false

    init(_ direction: Direction) { self.direction = direction }

    /// Switches to other keys.
    func use(_ epoch: TLSEpoch) {
        self.epoch = epoch
        following = nil
        sequence = 0
    }

    /// Records that a record with this number has been decrypted.
    func decrypted(_ number: UInt64) {
        sequence = number &+ 1
        lostMin = 0
        lostMax = 0
        skipped = 0
        isAfterGap = false
        hasDecrypted = true
    }

    /// Continues after missing bytes.
    func gap(_ count: Int) {
        let lost = UInt64(records.gap(count))
        lostMin += lost
        lostMax += lost
        isAfterGap = true
    }

    func end() {
        isEnded = true
        isWaiting = false
        records.removeAll()
        following = nil
        epoch = nil
    }
}
