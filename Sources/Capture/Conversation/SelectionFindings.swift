/// The results of the filters and a summary of the capture's content, used to explain why nothing
/// matched.
package struct SelectionFindings: Sendable, Equatable {
    /// Maximum number of operator names, and of connections, to remember.
    static let namesMax = 4_096

    /// Command-line options that filter lines.
    package struct FilterKinds: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `--command`.
        package static let command = FilterKinds(rawValue: 1)
        /// `--operator`.
        package static let operatorName = FilterKinds(rawValue: 2)
        /// `--connection`.
        package static let connection = FilterKinds(rawValue: 4)
        /// `--from` and `--to`.
        package static let time = FilterKinds(rawValue: 8)
        package static let all: FilterKinds = [.command, .operatorName, .connection, .time]
    }

    /// Number of lines and other events that passed the filter.
    package internal(set) var shown = 0
    /// Filter options that match at least one line when applied on their own.
    package internal(set) var fitting: FilterKinds = []
    /// Requested commands that are not in the dialect's table but occur as the first word of a
    /// line.
    package internal(set) var verbs: Set<String> = []
    /// Numbers of the first ``namesMax`` connections in the capture.
    package internal(set) var connections: [Int] = []
    /// Names of the operators that occur in the capture.
    package internal(set) var operators: Set<[UInt8]> = []
    /// Names of the commands that occur in the capture.
    package internal(set) var commands: Set<String> = []
    /// Time range of the packets that caused events; nil if there were none.
    package internal(set) var times: ClosedRange<Int64>?

    package init() {}

    mutating func record(_ time: Int64) {
        guard time != CaptureRecord.timeUnknown else { return }
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    mutating func record(connection number: Int) {
        if connections.count < Self.namesMax { connections.append(number) }
    }

    mutating func record(operator name: [UInt8]) {
        if operators.count < Self.namesMax { operators.insert(name) }
    }
}
