package import Diagnostics
package import LineProtocol
import Scenario

/// What a received line is held against, split and decoded as the dialect does it.
package struct LinePattern: Sendable {
    package enum Form: Sendable {
        /// The whole line; with its terminator if the pattern ends in one.
        case raw(BytesPattern, withTerminator: Bool)
        case wire(WirePattern)
        case typed(TypedPattern)
    }

    package var form: Form
    /// Where it stands in its source.
    package var range: SourceRange
    /// What it says, as it was written.
    package var text: String

    /// Whether a part of it must be equal to the variable.
    package func compares(with variable: Int) -> Bool {
        switch form {
        case .raw(let bytes, _): return bytes.compares(with: variable)
        case .wire(let wire):
            let parts =
                [wire.source, wire.verb, wire.payload].compactMap(\.self)
                + wire.fields.map(\.value) + (wire.tags ?? []).map(\.value)
            return parts.contains { $0.compares(with: variable) }
        case .typed(let typed):
            return typed.arguments.contains { $0.value.compares(with: variable) }
        }
    }
}

/// Wire text, part by part.
package struct WirePattern: Sendable {
    /// Tags that must be there, by their decoded keys; nil: tags are not compared.
    package var tags: [TagPattern]?
    /// Nil: a source is not compared.
    package var source: BytesPattern?
    /// Nil where lines have no command.
    package var verb: BytesPattern?
    package var fields: [FieldPattern]
    package var tail: Tail
    package var payload: BytesPattern?

    package struct TagPattern: Sendable {
        package var key: [UInt8]
        package var value: BytesPattern
    }

    package struct FieldPattern: Sendable {
        /// The key of a `key=value` field or an option.
        package var key: [UInt8]?
        package var isOption: Bool
        package var row: Int
        package var value: BytesPattern
    }

    /// What may follow the fields of the pattern.
    package enum Tail: Sendable {
        case nothing
        /// Any fields; they are captured as they stand on the wire.
        case anything(capture: Int?)
    }
}

/// A command by its message name; only the named arguments are compared.
package struct TypedPattern: Sendable {
    package var command: Int
    package var name: String
    package var nameRange: SourceRange
    package var arguments: [ArgumentPattern]

    package struct ArgumentPattern: Sendable {
        package var place: Int
        package var name: String
        package var range: SourceRange
        package var value: ValuePattern
    }

    package indirect enum ValuePattern: Sendable {
        case equals(ArgumentValue)
        /// The value's bytes, for text and for placeholders.
        case bytes(BytesPattern)
        case list([ValuePattern])

        package func compares(with variable: Int) -> Bool {
            switch self {
            case .equals: false
            case .bytes(let bytes): bytes.compares(with: variable)
            case .list(let patterns): patterns.contains { $0.compares(with: variable) }
            }
        }
    }
}

/// Why a line does not match.
package struct Mismatch: Sendable {
    /// What was compared: `the command`, `field 2`, `argument text`.
    package var part: String
    /// What the pattern wants, for people.
    package var expected: String
    /// What the line has, for people.
    package var got: String
    /// The place in the pattern.
    package var range: SourceRange
    /// Where two texts part that begin alike, in words.
    package var parting: String?
    /// Whether the command already differs, so that it is another line altogether.
    package var isOtherCommand = false
}
