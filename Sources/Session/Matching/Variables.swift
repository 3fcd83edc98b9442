/// The values of a running program's variables, decoded bytes by the variable's place.
struct Variables: Sendable {
    private(set) var values: [[UInt8]?]

    init(count: Int) {
        values = Array(repeating: nil, count: count)
    }

    subscript(place: Int) -> [UInt8]? {
        get { values[place] }
        set { values[place] = newValue }
    }

    mutating func set(_ captures: [Capture]) {
        for capture in captures { values[capture.variable] = capture.bytes }
    }
}

/// A value that a pattern has taken out of a line.
struct Capture: Sendable, Equatable {
    var variable: Int
    var bytes: [UInt8]
}
