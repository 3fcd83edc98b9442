import Results

/// How an operator behaves that is not like the others. What it does to the others is what is measured.
package struct Persona: Sendable, Hashable {
    /// The kinds there are.
    package enum Role: UInt8, Sendable, Hashable, CaseIterable {
        /// As anybody.
        case ordinary
        /// Reads so many bytes a second.
        case slowReader
        /// Writes so many bytes a second.
        case slowWriter
        /// Connects and never says a word.
        case silent
        /// Logs in, enters its room, and never says or answers anything again.
        case mute
        /// Logs in, enters its room, and ends its direction.
        case halfClosed
        /// Leaves and comes back, again and again.
        case reconnecting

        /// The word in plans and reports.
        package var word: String {
            switch self {
            case .ordinary: "talker"
            case .slowReader: "slow-reader"
            case .slowWriter: "slow-writer"
            case .silent: "silent"
            case .mute: "mute"
            case .halfClosed: "half-closed"
            case .reconnecting: "reconnecting"
            }
        }

        /// Whether it can talk like the others.
        package var canTalk: Bool {
            switch self {
            case .ordinary, .slowReader, .reconnecting: true
            case .slowWriter, .silent, .mute, .halfClosed: false
            }
        }

        /// Whether it answers what the server asks for, and keeps its session alive.
        var answers: Bool {
            switch self {
            case .ordinary, .slowReader, .reconnecting: true
            case .slowWriter, .silent, .mute, .halfClosed: false
            }
        }
    }

    /// How one leaves who comes back.
    package enum Leave: String, Sendable, Hashable, CaseIterable {
        /// As the dialect's `logout` does it.
        case logout
        /// Closes the connection, without a word.
        case close
        /// Closes it by a reset.
        case reset
    }

    /// The fewest and the most bytes a second that somebody reads or writes.
    package static let bytesPerSecondMin = 0.1
    package static let bytesPerSecondMax = 1e9
    /// The smallest receive buffer that can be asked for; the system has a least one of its own.
    package static let receiveBufferMin = 1024
    package static let receiveBufferMax = 64 << 20
    /// The shortest time between two comings, and of an absence.
    package static let timeMin: Int64 = 200_000_000

    package var role: Role
    /// Of slow readers and writers.
    package var bytesPerSecond: Double
    /// How much the system takes for a slow reader, in bytes; nil: as usual.
    package var receiveBuffer: Int?
    /// How long one that comes and goes stays, in nanoseconds.
    package var every: Int64 = 10_000_000_000
    /// How long it is away.
    package var away: Int64 = 1_000_000_000
    /// How it leaves.
    package var leave = Leave.logout

    /// A persona as it is unless something else is said.
    package init(_ role: Role) {
        self.role = role
        bytesPerSecond = role == .slowReader ? 100 : 1
        receiveBuffer = role == .slowReader ? 4096 : nil
    }

    /// What it does, in a few words: `slow-reader, 100 B/s`.
    package var summary: String {
        switch role {
        case .slowReader, .slowWriter: "\(role.word), \(Self.shown(bytesPerSecond)) B/s"
        case .reconnecting: "\(role.word) by \(leave.rawValue)"
        case .ordinary, .silent, .mute, .halfClosed: role.word
        }
    }

    private static func shown(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// What became of the operators of a persona, and what they saw: apart from the figures of all others.
package struct PersonaTally: Sendable, Codable {

    package var operators: UInt64 = 0
    /// How many got where they should be.
    package var ready: UInt64 = 0
    package var failed: UInt64 = 0
    /// Connections that the server closed.
    package var cut: UInt64 = 0
    /// Lines that refused them something.
    package var refused: UInt64 = 0
    /// Texts that they sent.
    package var sent: UInt64 = 0
    /// Texts that reached them.
    package var arrived: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    /// How often they left on their own, and got back.
    package var departures: UInt64 = 0
    package var returns: UInt64 = 0
    /// How often they were not let in again.
    package var returnsFailed: UInt64 = 0
    package var recorder = LatencyRecorder()
    /// What befell the first of them.
    package var evidence: [OperatorPool.SetupFailure] = []

    /// Nothing.
    package init() {}

    mutating func note(_ story: String, _ line: [UInt8]) {
        guard evidence.count < LoadResults.evidenceMax else { return }
        evidence.append(OperatorPool.SetupFailure(story: story, line: line))
    }

    /// Adds those of another worker.
    package mutating func merge(_ other: PersonaTally) {
        operators += other.operators
        ready += other.ready
        failed += other.failed
        cut += other.cut
        refused += other.refused
        sent += other.sent
        arrived += other.arrived
        bytesReceived += other.bytesReceived
        departures += other.departures
        returns += other.returns
        returnsFailed += other.returnsFailed
        recorder.merge(other.recorder)
        evidence += other.evidence.prefix(max(0, LoadResults.evidenceMax - evidence.count))
    }
}
