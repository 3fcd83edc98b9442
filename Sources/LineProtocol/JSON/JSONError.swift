/// The reason a line is not a valid JSON object.
public struct JSONError: Error, Sendable, Hashable {
    /// Byte offset in the line, from 0.
    public var offset: Int
    /// The kind of error.
    public var reason: Reason

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        /// The line does not start with `{`.
        case notAnObject
        /// The line ends before the object does.
        case incomplete
        case expectedKey
        case expectedColon
        case expectedValue
        case expectedCommaOrEnd
        case badNumber
        case badEscape
        /// A string contains a control byte that is not escaped.
        case controlByte
        /// The value is nested more deeply than ``JSONSyntax/depthMax``.
        case tooDeep
        /// More text follows the object.
        case textAfterObject
    }

    /// A description of the error, such as `expected ":" at byte 7`. Bytes are counted from 1.
    public var words: String {
        let position = "at byte \(offset + 1)"
        return switch reason {
        case .notAnObject: "the line is not a JSON object"
        case .incomplete: "the JSON object is incomplete"
        case .expectedKey: "expected a key in double quotes \(position)"
        case .expectedColon: "expected \":\" \(position)"
        case .expectedValue: "expected a JSON value \(position)"
        case .expectedCommaOrEnd: "expected \",\" or a closing bracket \(position)"
        case .badNumber: "invalid number \(position)"
        case .badEscape: "invalid escape sequence \(position)"
        case .controlByte: "unescaped control byte \(position)"
        case .tooDeep: "nested more than \(JSONSyntax.depthMax) levels deep \(position)"
        case .textAfterObject: "text after the JSON object \(position)"
        }
    }
}
