/// A deviation from normal operator behaviour, such as reading slowly. The load test measures how
/// such operators affect the others.
package struct OperatorBehaviour: Sendable, Hashable {
    /// The kind of operator, such as ordinary, slow to read or reconnecting.
    package enum Role: UInt8, Sendable, Hashable, CaseIterable {
        /// Behaves normally.
        case ordinary
        /// Reads at a limited rate.
        case slowReader
        /// Writes at a limited rate.
        case slowWriter
        /// Connects but sends nothing.
        case silent
        /// Logs in, enters its room and then sends nothing, not even answers.
        case mute
        /// Logs in, enters its room and closes its sending side.
        case halfClosed
        /// Leaves and reconnects repeatedly.
        case reconnecting

        /// The behaviour's name in plans and reports.
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

        /// True if an operator with this behaviour sends messages, answers pings and keeps its
        /// session alive.
        package var canTalk: Bool {
            switch self {
            case .ordinary, .slowReader, .reconnecting: true
            case .slowWriter, .silent, .mute, .halfClosed: false
            }
        }

        /// True if an operator with this behaviour reads answers as soon as they arrive.
        var readsAtOnce: Bool { self == .ordinary || self == .reconnecting }
    }

    /// The way a reconnecting operator disconnects.
    package enum Leave: String, Sendable, Hashable, CaseIterable {
        /// Runs the dialect's `logout`.
        case logout
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
    }

    /// Minimum of ``bytesPerSecond``.
    package static let bytesPerSecondMin = 0.1
    package static let bytesPerSecondMax = 1e9
    /// Minimum of ``receiveBuffer``, in bytes. The system may impose a higher minimum.
    package static let receiveBufferMin = 1024
    package static let receiveBufferMax = 64 << 20
    /// Minimum of ``every`` and ``away``, in nanoseconds.
    package static let timeMin: Int64 = 200_000_000

    package var role: Role
    /// Maximum transfer rate of a slow reader or writer.
    package var bytesPerSecond: Double
    /// Size of a slow reader's receive buffer in bytes; nil for the system's default.
    package var receiveBuffer: Int?
    /// Interval between reconnects, in nanoseconds.
    package var every: Int64 = 10_000_000_000
    /// Time between disconnecting and reconnecting, in nanoseconds.
    package var away: Int64 = 1_000_000_000
    package var leave = Leave.logout

    /// Creates a behaviour with default settings.
    package init(_ role: Role) {
        self.role = role
        bytesPerSecond = role == .slowReader ? 100 : 1
        receiveBuffer = role == .slowReader ? 4096 : nil
    }

    /// Short description, such as `slow-reader, 100 B/s`.
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
