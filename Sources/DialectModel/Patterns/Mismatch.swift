package import Diagnostics

/// The reason a line does not match.
package struct Mismatch: Sendable {
    /// The part that was compared, with a preposition, such as `as field 2`. Empty if the whole
    /// line was compared or `expected` names the part.
    package var part: String
    private let expectedValue: Value
    private let receivedValue: Value
    package var range: SourceRange
    /// True if the line contains a different command.
    package var isOtherCommand = false

    /// A value, formatted only if it is shown: a session skips most lines that do not match.
    private enum Value {
        case text(String)
        case bytes([UInt8])

        var text: String {
            switch self {
            case .text(let text): text
            case .bytes(let bytes): Mismatch.quoted(bytes)
            }
        }
    }

    init(
        part: String, expected: String, got: String, range: SourceRange,
        isOtherCommand: Bool = false
    ) {
        self.part = part
        expectedValue = .text(expected)
        receivedValue = .text(got)
        self.range = range
        self.isOtherCommand = isOtherCommand
    }

    /// - Parameter expected: The expected bytes; nil if the pattern allows different ones.
    init(part: String, expected: [UInt8]?, got: [UInt8], range: SourceRange) {
        self.part = part
        expectedValue = expected.map { .bytes($0) } ?? .text("{pattern}")
        receivedValue = .bytes(got)
        self.range = range
    }

    /// Description of the expected value.
    package var expected: String { expectedValue.text }

    /// Description of the received value.
    package var got: String { receivedValue.text }

    /// Explanation of where the received text first differs from the expected text; nil if the two
    /// do not begin with the same characters.
    package var firstDifference: String? {
        guard case .bytes(let expected) = expectedValue, case .bytes(let got) = receivedValue else {
            return nil
        }
        return TextDifference(expected, got).sentence
    }

    static func quoted(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "nothing" : "\"\(escapedForDisplay(bytes))\""
    }
}
