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

    package enum Piece: Sendable, Equatable {
        /// Literal bytes; the escapes of a string are already decoded.
        case literal(Literal)
        case placeholder(Placeholder)

        package var range: SourceRange {
            switch self {
            case .literal(let literal): literal.range
            case .placeholder(let placeholder): placeholder.range
            }
        }
    }

    package struct Literal: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Source range; longer than the bytes if the source contains escapes.
        @NotCompared package var range: SourceRange

        package init(_ bytes: [UInt8], range: SourceRange) {
            self.bytes = bytes
            self.range = range
        }
    }

    /// All placeholders, in order.
    package var placeholders: [Placeholder] {
        pieces.compactMap {
            if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
        }
    }

    /// Returns the bytes if the template contains only literals and `{{"…"}}`; nil if it depends on
    /// variables or has more than `bytesMax` bytes.
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

/// A placeholder `{{…}}`: filled in when sending, and compared or captured when matching.
package struct Placeholder: Sendable, Equatable {
    /// Value type of a typed placeholder.
    package enum ValueType: String, Sendable, CaseIterable {
        /// An integer.
        case int
        /// One of the dialect's spellings of true and false.
        case bool
        /// A number, optionally with a fraction.
        case decimal
        case text
        /// A time in the dialect's format.
        case time
        /// One or more bytes other than spaces.
        case word
    }

    package enum Kind: Sendable, Equatable {
        /// `{{name}}`: the variable's value. In a pattern, a variable without a value captures.
        case variable(String)
        /// `{{name:int}}`, or `{{_:int}}` without a name. When sending, the variable's value must
        /// have this type.
        case typed(name: String?, type: ValueType)
        /// `{{name:/REGEX/}}`, or `{{/REGEX/}}` without a name.
        case regex(name: String?, expression: RegularExpression)
        /// `{{_}}`: anything up to the end of the field or the next literal.
        case anything
        /// `{{...}}`, or `{{name...}}` with a name: the rest of the line.
        case rest(name: String?)
        /// `{{end}}`: the line must end here.
        case end
        /// `{{"text"}}` or `{{"x" * 600}}`: bytes, repeated `count` times.
        case bytes([UInt8], count: Int)
        /// `{{length}}`: length of the payload in bytes.
        case length
        /// `{{env.NAME}}`: value of an environment variable.
        case environment(String)
    }

    package var kind: Kind
    /// Source range including the braces.
    @NotCompared package var range: SourceRange

    package init(_ kind: Kind, range: SourceRange) {
        self.kind = kind
        self.range = range
    }

    /// The variable that the placeholder reads or captures; nil if there is none.
    package var variable: String? {
        switch kind {
        case .variable(let name): name
        case .typed(let name, _), .regex(let name, _), .rest(let name): name
        case .anything, .end, .bytes, .length, .environment: nil
        }
    }
}
