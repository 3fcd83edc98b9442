package import Diagnostics

/// Bytes with placeholders in them: wire text, a quoted string, a payload.
package struct Template: Sendable, Equatable {
    /// The pieces in order; no two literals stand side by side, and none is empty.
    package var pieces: [Piece]
    /// All of it, with the quotes of a string.
    @NotCompared package var range: SourceRange

    /// A template from its pieces.
    package init(_ pieces: [Piece], range: SourceRange) {
        self.pieces = pieces
        self.range = range
    }

    /// A part of a template.
    package enum Piece: Sendable, Equatable {
        /// Bytes as they stand (the escapes of a string are undone).
        case literal(Literal)
        /// A placeholder.
        case placeholder(Placeholder)

        /// Where it stands.
        package var range: SourceRange {
            switch self {
            case .literal(let literal): literal.range
            case .placeholder(let placeholder): placeholder.range
            }
        }
    }

    /// Bytes at a place.
    package struct Literal: Sendable, Equatable {
        /// The bytes.
        package var bytes: [UInt8]
        /// Where they stand; longer than the bytes where escapes were undone.
        @NotCompared package var range: SourceRange

        /// Bytes at a place.
        package init(_ bytes: [UInt8], range: SourceRange) {
            self.bytes = bytes
            self.range = range
        }
    }

    /// The placeholders in order.
    package var placeholders: [Placeholder] {
        pieces.compactMap {
            if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
        }
    }

    /// The bytes where nothing depends on variables (literals and `{{"…"}}` only), else nil;
    /// also nil past `bytesMax`.
    package func constantBytes(bytesMax: Int = ScenarioLimits.fileBytesMax) -> [UInt8]? {
        var all: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let literal): all += literal.bytes
            case .placeholder(let placeholder):
                guard case .bytes(let bytes, let count) = placeholder.kind,
                    bytes.count * count <= bytesMax
                else { return nil }
                for _ in 0..<count { all += bytes }
            }
            if all.count > bytesMax { return nil }
        }
        return all
    }
}

/// A place in a template that is filled in a send, and compared or captured in a pattern.
package struct Placeholder: Sendable, Equatable {
    /// What kind of value a typed placeholder takes.
    package enum ValueType: String, Sendable, CaseIterable {
        /// A whole number.
        case int
        /// One of the dialect's spellings of true and false.
        case bool
        /// A number that may have a fraction.
        case decimal
        /// Anything.
        case text
        /// A time as the dialect writes it.
        case time
        /// At least one byte and no blank.
        case word
    }

    /// What a placeholder stands for.
    package enum Kind: Sendable, Equatable {
        /// `{{name}}`: the variable's value; in a pattern, one that has none captures.
        case variable(String)
        /// `{{name:int}}`, and with no name `{{_:int}}`. In a send: the variable's value, which must
        /// be one of that type.
        case typed(name: String?, type: ValueType)
        /// `{{name:/REGEX/}}`, and with no name `{{/REGEX/}}`; checked to be an expression.
        case regex(name: String?, expression: String)
        /// `{{_}}`: anything, up to the end of the field or the next literal.
        case anything
        /// `{{...}}`, and with a name `{{name...}}`: all that is left.
        case rest(name: String?)
        /// `{{end}}`: nothing may be left.
        case end
        /// `{{"text"}}`, `{{"x" * 600}}`: the bytes, so many times.
        case bytes([UInt8], count: Int)
        /// `{{length}}`: how many bytes the payload has.
        case length
        /// `{{env.NAME}}`: the environment variable's value.
        case environment(String)
    }

    /// What it stands for.
    package var kind: Kind
    /// All of it with its braces.
    @NotCompared package var range: SourceRange

    /// A placeholder at a place.
    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }

    /// The variable that it names, to read or to capture; nil where there is none.
    package var variable: String? {
        switch kind {
        case .variable(let name): name
        case .typed(let name, _), .regex(let name, _), .rest(let name): name
        case .anything, .end, .bytes, .length, .environment: nil
        }
    }
}
