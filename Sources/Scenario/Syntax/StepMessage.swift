package import Diagnostics

/// The message that a step sends.
package enum StepMessage: Sendable, Equatable {
    /// A line of wire text with an optional payload.
    case wire(Template, payload: Template?)
    /// A command, given by its name in the dialect.
    case typed(TypedCall)
    /// Exactly these bytes. Each segment is sent with a separate write.
    case raw([RawSegment])

    /// Range of the message in the source, without its modifiers.
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

/// A segment of a raw message: bytes or a pause.
package enum RawSegment: Sendable, Equatable {
    /// Bytes sent in one write.
    case bytes(Template)
    /// A pause before the next write.
    case wait(DurationLiteral)

    package var range: SourceRange {
        switch self {
        case .bytes(let template): template.range
        case .wait(let time): time.range
        }
    }
}

/// A pattern to compare received lines with.
package enum Pattern: Sendable, Equatable {
    /// Wire text with an optional payload. Lines are decoded and compared field by field.
    case wire(Template, payload: Template?)
    /// A command, given by its name in the dialect. Arguments that are not listed are not compared.
    case typed(TypedCall)
    /// The whole line, compared byte for byte.
    case raw(Template)

    package var range: SourceRange {
        switch self {
        case .wire(let template, let payload):
            payload.map { template.range.joined(with: $0.range) } ?? template.range
        case .typed(let call): call.range
        case .raw(let template): template.range
        }
    }
}

/// A command with named arguments: `name(argument: value, …)`.
package struct TypedCall: Sendable, Equatable {
    /// Name of the command in the dialect.
    package var name: Name
    /// The arguments in source order. Each name occurs only once.
    package var arguments: [Argument]
    @NotCompared package var range: SourceRange

    package init(name: Name, arguments: [Argument], range: SourceRange) {
        self.name = name
        self.arguments = arguments
        self.range = range
    }
}

/// An argument of a typed command or a fragment: `name: value`.
package struct Argument: Sendable, Equatable {
    /// Name of the command's argument or of the fragment's parameter.
    package var name: Name
    package var value: Value

    package init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }
}

/// A value in a typed command, a `set` line or the arguments of a fragment.
package struct Value: Sendable, Equatable {
    /// The form of a value in the source.
    package indirect enum Kind: Sendable, Equatable {
        /// A quoted string, which may contain placeholders.
        case string(Template)
        case int(Int64)
        /// A number with a fraction, as written in the source.
        case decimal(String)
        /// `true` or `false`.
        case bool(Bool)
        /// An unquoted word, for an argument with a fixed set of words.
        case name(String)
        /// `[1, 2]`.
        case list([Value])
        /// `any order [1, 2]`, in patterns.
        case unordered([Value])
        case placeholder(Placeholder)
    }

    package var kind: Kind
    @NotCompared package var range: SourceRange

    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }
}
