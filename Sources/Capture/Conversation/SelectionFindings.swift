/// Matches of a selection and contents of the capture, for an explanation if nothing matched.
package struct SelectionFindings: Sendable, Equatable {
    /// Maximum number of operator names remembered.
    static let namesMax = 4_096

    /// Filter options.
    package struct Criteria: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `--command`
        package static let command = Criteria(rawValue: 1)
        /// `--operator`
        package static let operatorName = Criteria(rawValue: 2)
        /// `--connection`
        package static let connection = Criteria(rawValue: 4)
        /// `--from` and `--to`
        package static let time = Criteria(rawValue: 8)
        package static let all: Criteria = [.command, .operatorName, .connection, .time]
    }

    /// Lines and other events that passed the filter.
    package internal(set) var shown = 0
    /// Criteria that matched something on their own.
    package internal(set) var fitting: Criteria = []
    /// Requested commands that the dialect does not know but that lines started with.
    package internal(set) var verbs: Set<String> = []
    /// Names of operators.
    package internal(set) var operators: Set<[UInt8]> = []
    /// Names of the commands that occurred.
    package internal(set) var commands: Set<String> = []
    /// Time range of the packets with events.
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
