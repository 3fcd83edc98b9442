package import Diagnostics

/// What a step sends.
package enum Message: Sendable, Equatable {
    /// Wire text as one line, then perhaps a payload.
    case wire(Template, payload: Template?)
    /// A command by its message name.
    case typed(TypedCall)
    /// Exactly these bytes, in segments of their own.
    case raw([RawSegment])

    /// Where it stands, clauses left out.
    package var range: SourceRange {
        switch self {
        case .wire(let template, let payload):
            payload.map { template.range.joined(with: $0.range) } ?? template.range
        case .typed(let call): call.range
        case .raw(let segments):
            segments.dropFirst().reduce(segments.first?.range ?? SourceRange(start: 0, end: 0)) {
                $0.joined(with: $1.range)
            }
        }
    }
}

/// A part of a raw send.
package enum RawSegment: Sendable, Equatable {
    /// Bytes that go out in one write.
    case bytes(Template)
    /// A wait before the next.
    case wait(TimeLength)

    /// Where it stands.
    package var range: SourceRange {
        switch self {
        case .bytes(let template): template.range
        case .wait(let time): time.range
        }
    }
}

/// What a line is held against.
package enum Pattern: Sendable, Equatable {
    /// Wire text, compared part by part after decoding, and perhaps a payload.
    case wire(Template, payload: Template?)
    /// A command by its message name; arguments that are not named are not compared.
    case typed(TypedCall)
    /// The whole line, byte by byte.
    case raw(Template)

    /// Where it stands.
    package var range: SourceRange {
        switch self {
        case .wire(let template, let payload):
            payload.map { template.range.joined(with: $0.range) } ?? template.range
        case .typed(let call): call.range
        case .raw(let template): template.range
        }
    }
}

/// `name(argument: value, …)`.
package struct TypedCall: Sendable, Equatable {
    /// The message's name in the dialect.
    package var name: Name
    /// The arguments in the order in which they were written; no name stands twice.
    package var arguments: [Argument]
    /// All of it.
    @NotCompared package var range: SourceRange

    /// A call from its parts.
    package init(name: Name, arguments: [Argument], range: SourceRange) {
        self.name = name
        self.arguments = arguments
        self.range = range
    }
}

/// `name: value`.
package struct Argument: Sendable, Equatable {
    /// The argument's or parameter's name.
    package var name: Name
    /// Its value.
    package var value: Value

    /// A value under a name.
    package init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }
}

/// A value in a typed command, of a `set` line, or given to a fragment.
package struct Value: Sendable, Equatable {
    /// What it is.
    package indirect enum Kind: Sendable, Equatable {
        /// A quoted string, which may have placeholders.
        case string(Template)
        /// A whole number.
        case int(Int64)
        /// A number with a fraction, as it was written.
        case decimal(String)
        /// `true` or `false`.
        case bool(Bool)
        /// A bare word: an enum's spelling.
        case name(String)
        /// `[1, 2]`.
        case list([Value])
        /// A placeholder.
        case placeholder(Placeholder)
    }

    /// What it is.
    package var kind: Kind
    /// Where it stands.
    @NotCompared package var range: SourceRange

    /// A value at a place.
    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }
}
