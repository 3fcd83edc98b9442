package import Diagnostics
package import RegularExpressions

/// Bytes with placeholders: wire text, a quoted string or a payload.
package struct Template: Sendable, Equatable {
    /// Pieces in order. Literals are never empty and never adjacent.
    package var pieces: [Piece]
    /// Source range, including the quotes of a string.
    @NotCompared package var range: SourceRange

    package init(_ pieces: [Piece], range: SourceRange) {
        self.pieces = pieces
        self.range = range
    }

    /// A piece of a template: literal bytes or a placeholder.
    package enum Piece: Sendable, Equatable {
        /// Literal bytes. Escape sequences in a string are already decoded.
        case literal(Literal)
        case placeholder(Placeholder)

        package var range: SourceRange {
            switch self {
            case .literal(let literal): literal.range
            case .placeholder(let placeholder): placeholder.range
            }
        }
    }

    /// Literal bytes with their source range.
    package struct Literal: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Source range. If the source contains escape sequences, it is longer than the bytes.
        @NotCompared package var range: SourceRange

        package init(_ bytes: [UInt8], range: SourceRange) {
            self.bytes = bytes
            self.range = range
        }
    }

    /// All placeholders, in order. Each precedes the placeholders inside it.
    package var placeholders: [Placeholder] {
        pieces.flatMap { piece -> [Placeholder] in
            if case .placeholder(let placeholder) = piece {
                [placeholder] + placeholder.inner
            } else {
                []
            }
        }
    }

    /// Returns the bytes if the template consists only of literals and `{{"…"}}`; nil if it uses
    /// variables or the result would exceed `bytesMax` bytes.
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

/// A `{{…}}` in a template. In a message, it is filled in; in a pattern, it is compared or
/// captured.
package struct Placeholder: Sendable, Equatable {
    /// Value type of a typed placeholder.
    package enum ValueType: String, Sendable, CaseIterable {
        /// An integer.
        case int
        /// A Boolean, in the dialect's notation.
        case bool
        /// A number, optionally with a fraction.
        case decimal
        case text
        /// A time in the dialect's format.
        case time
        /// One or more bytes other than spaces.
        case word
    }

    /// The form of a placeholder.
    package indirect enum Kind: Sendable, Equatable {
        /// `{{name}}`: the variable's value. In a pattern, the placeholder captures a value if the
        /// variable has none yet.
        case variable(String)
        /// `{{name:int}}`, or `{{_:int}}` without a name. In a message, the variable's value must
        /// be of this type.
        case typed(name: String?, type: ValueType)
        /// `{{name:/REGEX/}}`, or `{{/REGEX/}}` without a name.
        case regex(name: String?, expression: RegularExpression)
        /// `{{_}}`: anything up to the next literal or the end of the field.
        case anything
        /// `{{...}}`, or `{{name...}}` to capture it: the rest of the line.
        case rest(name: String?)
        /// `{{end}}`: the line must end here.
        case end
        /// `{{"text"}}`, or `{{"x" * 600}}` with a repeat count: the bytes, repeated `count` times.
        case bytes([UInt8], count: Int)
        /// `{{length}}`: the size of the payload in bytes.
        case length
        /// `{{env.NAME}}`: the value of an environment variable.
        case environment(String)
        /// `{{a + b}}`, `{{base64 "…"}}`: a value computed from variables. In a pattern, it is
        /// compared but never captured.
        case computed(Computation)
    }

    /// A value computed from other values.
    package enum Computation: Sendable, Equatable {
        /// `a + b - 1`: at least two terms.
        case sum([Term])
        /// `base64 "…"`.
        case base64(Template)
    }

    /// A term of a placeholder's sum.
    package struct Term: Sendable, Equatable {
        /// A number or a variable in a sum.
        package enum Operand: Sendable, Equatable {
            case number(Int64)
            /// A variable, as a placeholder with the source range of the variable's name.
            case placeholder(Placeholder)
        }

        package var isNegative: Bool
        package var operand: Operand
    }

    /// The placeholders inside this one.
    package var inner: [Placeholder] {
        switch kind {
        case .computed(.base64(let template)): template.placeholders
        case .computed(.sum(let terms)):
            terms.compactMap { term in
                if case .placeholder(let placeholder) = term.operand { placeholder } else { nil }
            }
        default: []
        }
    }

    package var kind: Kind
    /// Source range including the braces.
    @NotCompared package var range: SourceRange

    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }

    /// The variable that the placeholder reads or captures; nil if it has none.
    package var variable: String? {
        switch kind {
        case .variable(let name): name
        case .typed(let name, _), .regex(let name, _), .rest(let name): name
        case .anything, .end, .bytes, .length, .environment, .computed: nil
        }
    }

    /// True if a message can contain the placeholder.
    var isSendable: Bool {
        switch kind {
        case .variable, .bytes, .length, .environment, .computed, .typed(name: .some, _): true
        case .typed, .regex, .anything, .rest, .end: false
        }
    }
}
