/// Matches of a selection and contents of the capture, which explain why nothing matched.
package struct SelectionFindings: Sendable, Equatable {
    /// Maximum number of operator names that are remembered.
    static let namesMax = 4_096

    /// The options that filter lines.
    package struct Criteria: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The option `--command`.
        package static let command = Criteria(rawValue: 1)
        /// The option `--operator`.
        package static let operatorName = Criteria(rawValue: 2)
        /// The option `--connection`.
        package static let connection = Criteria(rawValue: 4)
        /// The options `--from` and `--to`.
        package static let time = Criteria(rawValue: 8)
        package static let all: Criteria = [.command, .operatorName, .connection, .time]
    }

    /// Number of lines and other events that passed the filter.
    package internal(set) var shown = 0
    /// Criteria that, taken alone, matched something.
    package internal(set) var fitting: Criteria = []
    /// Requested commands that the dialect does not know, but that occur as the first word of a
    /// line.
    package internal(set) var verbs: Set<String> = []
    /// Names of the operators that occurred.
    package internal(set) var operators: Set<[UInt8]> = []
    /// Names of the commands that occurred.
    package internal(set) var commands: Set<String> = []
    /// Time range of the packets that caused events.
    package internal(set) var times: ClosedRange<Int64>?

    package init() {}

    mutating func record(_ time: Int64) {
        guard time != CaptureRecord.timeUnknown else { return }
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    mutating func record(operator name: [UInt8]) {
        if operators.count < Self.namesMax { operators.insert(name) }
    }
}
