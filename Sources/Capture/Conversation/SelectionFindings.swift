/// What of a conversation a selection lets through, and what it could have: told where that is nothing.
public struct SelectionFindings: Sendable, Equatable {
    /// The most names of operators that are remembered.
    static let namesMax = 4_096

    /// What one can ask for.
    public struct Criteria: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Criteria by their bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `--command`
        public static let command = Criteria(rawValue: 1)
        /// `--operator`
        public static let operatorName = Criteria(rawValue: 2)
        /// `--connection`
        public static let connection = Criteria(rawValue: 4)
        /// `--from` and `--to`
        public static let time = Criteria(rawValue: 8)
        /// All of them.
        public static let all: Criteria = [.command, .operatorName, .connection, .time]
    }

    /// How much was let through: lines, and what else happened.
    public internal(set) var shown = 0
    /// What fitted something, each looked at by itself.
    public internal(set) var fitting: Criteria = []
    /// Of the commands asked for, those that the dialect does not know and lines began with.
    public internal(set) var verbs: Set<String> = []
    /// What operators were called.
    public internal(set) var operators: Set<[UInt8]> = []
    /// The names of the commands that occurred.
    public internal(set) var commands: Set<String> = []
    /// When the first packet of which something was told was captured, and the last.
    public internal(set) var times: ClosedRange<Int64>?

    /// Nothing yet.
    public init() {}

    mutating func saw(_ time: Int64) {
        guard time != CaptureRecord.timeUnknown else { return }
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    mutating func saw(operator name: [UInt8]) {
        if operators.count < Self.namesMax { operators.insert(name) }
    }
}
