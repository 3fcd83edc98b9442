/// What of a conversation a selection lets through, and what it could have: told where that is nothing.
package struct SelectionFindings: Sendable, Equatable {
    /// The most names of operators that are remembered.
    static let namesMax = 4_096

    /// What one can ask for.
    package struct Criteria: OptionSet, Sendable {
        /// The bits.
        package let rawValue: UInt8

        /// Criteria by their bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `--command`
        package static let command = Criteria(rawValue: 1)
        /// `--operator`
        package static let operatorName = Criteria(rawValue: 2)
        /// `--connection`
        package static let connection = Criteria(rawValue: 4)
        /// `--from` and `--to`
        package static let time = Criteria(rawValue: 8)
        /// All of them.
        package static let all: Criteria = [.command, .operatorName, .connection, .time]
    }

    /// How much was let through: lines, and what else happened.
    package internal(set) var shown = 0
    /// What fitted something, each looked at by itself.
    package internal(set) var fitting: Criteria = []
    /// Of the commands asked for, those that the dialect does not know and lines began with.
    package internal(set) var verbs: Set<String> = []
    /// What operators were called.
    package internal(set) var operators: Set<[UInt8]> = []
    /// The names of the commands that occurred.
    package internal(set) var commands: Set<String> = []
    /// When the first packet of which something was told was captured, and the last.
    package internal(set) var times: ClosedRange<Int64>?

    /// Nothing yet.
    package init() {}

    mutating func saw(_ time: Int64) {
        guard time != CaptureRecord.timeUnknown else { return }
        times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    mutating func saw(operator name: [UInt8]) {
        if operators.count < Self.namesMax { operators.insert(name) }
    }
}
