import Diagnostics
import LineProtocol
import Scenario

/// What a received line is held against, split and decoded as the dialect does it.
struct LinePattern: Sendable {
    enum Form: Sendable {
        /// The whole line; with its terminator if the pattern ends in one.
        case raw(BytesPattern, withTerminator: Bool)
        case wire(WirePattern)
        case typed(TypedPattern)
    }

    var form: Form
    /// Where it stands in its source.
    var range: SourceRange
    /// What it says, as it was written.
    var text: String

    /// Whether a part of it must be equal to the variable.
    func compares(with variable: Int) -> Bool {
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
struct WirePattern: Sendable {
    /// Tags that must be there, by their decoded keys; nil: tags are not compared.
    var tags: [TagPattern]?
    /// Nil: a source is not compared.
    var source: BytesPattern?
    /// Nil where lines have no command.
    var verb: BytesPattern?
    var fields: [FieldPattern]
    var tail: Tail
    var payload: BytesPattern?

    struct TagPattern: Sendable {
        var key: [UInt8]
        var value: BytesPattern
    }

    struct FieldPattern: Sendable {
        /// The key of a `key=value` field or an option.
        var key: [UInt8]?
        var isOption: Bool
        var row: Int
        var value: BytesPattern
    }

    /// What may follow the fields of the pattern.
    enum Tail: Sendable {
        case nothing
        /// Any fields; they are captured as they stand on the wire.
        case anything(capture: Int?)
    }
}

/// A command by its message name; only the named arguments are compared.
struct TypedPattern: Sendable {
    var command: Int
    var name: String
    var nameRange: SourceRange
    var arguments: [ArgumentPattern]

    struct ArgumentPattern: Sendable {
        var place: Int
        var name: String
        var range: SourceRange
        var value: ValuePattern
    }

    indirect enum ValuePattern: Sendable {
        case equals(ArgumentValue)
        /// The value's bytes, for text and for holes.
        case bytes(BytesPattern)
        case list([ValuePattern])

        func compares(with variable: Int) -> Bool {
            switch self {
            case .equals: false
            case .bytes(let bytes): bytes.compares(with: variable)
            case .list(let patterns): patterns.contains { $0.compares(with: variable) }
            }
        }
    }
}

/// Why a line does not match.
struct Mismatch: Sendable {
    /// What was compared: `the command`, `field 2`, `argument text`.
    var part: String
    /// What the pattern wants, for people.
    var expected: String
    /// What the line has, for people.
    var got: String
    /// The place in the pattern.
    var range: SourceRange
    /// Where two texts part that begin alike, in words.
    var parting: String?
    /// Whether the command already differs, so that it is another line altogether.
    var isOtherCommand = false
}
