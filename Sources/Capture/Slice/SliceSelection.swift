/// The connections whose packets a slice contains.
package final class SliceSelection {
    /// Whether a connection is selected, as far as that is known.
    enum Decision {
        case selected, unselected
        /// A line that has not been decoded yet may select the connection.
        case undecided
    }

    private let isAll: Bool
    /// True if no more connections will be added.
    let isComplete: Bool
    /// The connections added so far.
    private(set) var numbers: ConnectionNumbers

    private init(isAll: Bool, isComplete: Bool, _ numbers: ConnectionNumbers) {
        self.isAll = isAll
        self.isComplete = isComplete
        self.numbers = numbers
    }

    /// A selection of all connections.
    package static var all: SliceSelection {
        SliceSelection(isAll: true, isComplete: true, ConnectionNumbers())
    }

    /// A selection of the connections with these numbers.
    static func only(_ numbers: ConnectionNumbers) -> SliceSelection {
        SliceSelection(isAll: false, isComplete: true, numbers)
    }

    /// A selection to which connections are added while they are decoded.
    static var growing: SliceSelection {
        SliceSelection(isAll: false, isComplete: false, ConnectionNumbers())
    }

    func add(_ connection: Int) { numbers.insert(connection) }

    func decision(_ connection: Int) -> Decision {
        if isAll || numbers.contains(connection) { return .selected }
        return isComplete ? .unselected : .undecided
    }
}
