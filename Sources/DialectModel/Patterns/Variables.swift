/// The values of a program's variables while it runs, as decoded bytes, by variable index.
package struct Variables: Sendable {
    private(set) var values: [[UInt8]?]

    package init(count: Int) {
        values = Array(repeating: nil, count: count)
    }

    package subscript(index: Int) -> [UInt8]? {
        get { values[index] }
        set { values[index] = newValue }
    }

    package mutating func set(_ captures: [Capture]) {
        for capture in captures { values[capture.variable] = capture.bytes }
    }
}

/// A value captured from a line.
package struct Capture: Sendable, Equatable {
    package var variable: Int
    package var bytes: [UInt8]
}
