package import Diagnostics
package import LineProtocol
import Scenario

/// A compiled pattern for received lines, split and decoded according to the dialect.
package struct LinePattern: Sendable {
    /// Form in which the line is compared: raw bytes, wire text, JSON or a typed command.
    package enum Form: Sendable {
        /// The whole line. Its terminator is included if the pattern ends with one.
        case raw(BytesPattern, withTerminator: Bool)
        case wire(WirePattern)
        case json(JSONLinePattern)
        case typed(TypedPattern)
    }

    package var form: Form
    package var range: SourceRange
    /// The pattern as written in the scenario.
    package var text: String

    /// Returns true if part of the pattern matches the variable's value.
    package func compares(with variable: Int) -> Bool {
        switch form {
        case .raw(let bytes, _): return bytes.compares(with: variable)
        case .wire(let wire):
            let parts =
                [wire.source, wire.verb, wire.payload].compactMap(\.self)
                + wire.fields.map(\.value) + (wire.tags ?? []).map(\.value)
            return parts.contains { $0.compares(with: variable) }
        case .json(let json): return json.object.compares(with: variable)
        case .typed(let typed):
            return typed.arguments.contains { $0.value.compares(with: variable) }
        }
    }
}

/// The patterns for the parts of a line, compiled from wire text.
package struct WirePattern: Sendable {
    /// Patterns for tags that must be present, with decoded keys; nil if tags are not compared.
    package var tags: [TagPattern]?
    /// The pattern for the source; nil if the source is not compared.
    package var source: BytesPattern?
    /// The pattern for the command; nil if lines have no command.
    package var verb: BytesPattern?
    package var fields: [FieldPattern]
    package var tail: Tail
    package var payload: BytesPattern?

    /// Key of a required tag, with the pattern for its value.
    package struct TagPattern: Sendable {
        package var key: [UInt8]
        package var value: BytesPattern
    }

    /// Pattern for one field of a line.
    package struct FieldPattern: Sendable {
        /// The key of a `key=value` field, or the name of an option; nil for a positional field.
        package var key: [UInt8]?
        package var isOption: Bool
        package var row: Int
        package var value: BytesPattern
    }

    /// The fields that may follow the listed ones.
    package enum Tail: Sendable {
        case nothing
        /// Any fields. They are captured as raw bytes.
        case anything(capture: Int?)
    }
}

/// A pattern for a command, which is given by its name in the dialect. Only the listed arguments
/// are compared.
package struct TypedPattern: Sendable {
    package var command: Int
    package var name: String
    package var nameRange: SourceRange
    package var arguments: [ArgumentPattern]

    /// Listed argument of the command, with the pattern for its value.
    package struct ArgumentPattern: Sendable {
        package var index: Int
        package var name: String
        package var range: SourceRange
        package var value: ValuePattern
    }

    /// Pattern for the decoded value of an argument.
    package indirect enum ValuePattern: Sendable {
        case equals(ArgumentValue)
        /// A byte pattern, used for text and placeholders.
        case bytes(BytesPattern)
        case list([ValuePattern])
        /// A list whose elements may be in any order.
        case unordered([ValuePattern])

        package func compares(with variable: Int) -> Bool {
            switch self {
            case .equals: false
            case .bytes(let bytes): bytes.compares(with: variable)
            case .list(let patterns), .unordered(let patterns):
                patterns.contains { $0.compares(with: variable) }
            }
        }
    }
}
