/// The values of a running program's variables, decoded bytes by the variable's place.
package struct Variables: Sendable {
    private(set) var values: [[UInt8]?]

    package init(count: Int) {
        values = Array(repeating: nil, count: count)
    }

    package subscript(place: Int) -> [UInt8]? {
        get { values[place] }
        set { values[place] = newValue }
    }

    package mutating func set(_ captures: [Capture]) {
        for capture in captures { values[capture.variable] = capture.bytes }
    }
}

/// A value that a pattern has taken out of a line.
package struct Capture: Sendable, Equatable {
    package var variable: Int
    package var bytes: [UInt8]
}
