/// A description of the values that a setting accepts, from which the JSON Schema is generated.
package indirect enum ValueShape: Sendable {
    /// Text of limited length. An unquoted number also counts as text.
    case text(bytesMax: Int)
    /// Text that matches a regular expression.
    case pattern(String, example: String)
    /// Any scalar, treated as text.
    case scalar
    /// A name, as allowed in scenarios.
    case name
    case flag
    case number(ClosedRange<Int>)
    /// A non-negative number, possibly with a fraction.
    case quantity
    case byte
    case words([String])
    /// A map whose keys are fixed.
    case map(KeyTable)
    /// A map whose keys are chosen by the author of the file.
    case entries(Entries)
    /// A list. A scalar counts as a list with one element.
    case list(of: ValueShape, max: Int)
    case any([ValueShape])

    /// The entries of a map whose keys are chosen by the author of the file.
    package struct Entries: Sendable {
        /// The kind of key that is allowed: names, single bytes or any text.
        package enum KeyShape: Sendable { case names, bytes, texts }

        package var keys: KeyShape
        package var values: ValueShape
        /// The keys with a standard meaning, each with a summary of that meaning.
        package var standard: [(name: String, summary: String)]
        package var max: Int
        package var min: Int
        /// True if the values are merged into other maps, in which case required keys may be
        /// missing.
        package var areMerged: Bool

        init(
            _ values: ValueShape, keys: KeyShape = .names,
            standard: [(name: String, summary: String)] = [], min: Int = 0, max: Int,
            areMerged: Bool = false
        ) {
            self.keys = keys
            self.values = values
            self.standard = standard
            self.min = min
            self.max = max
            self.areMerged = areMerged
        }
    }

    /// A literal value, as written in a dialect file or plan.
    package enum Literal: Sendable {
        case flag(Bool), number(Int), text(String)
    }
}

/// The format of a setting's value: its shape, and the function that reads it.
package struct ValueFormat<Value>: Sendable {
    package let shape: ValueShape
    /// Reads a value, or reports an error and returns nil.
    package let read: @Sendable (Setting) -> Value?
    /// Returns the value as a literal; nil if it cannot be written as one.
    let literal: @Sendable (Value) -> ValueShape.Literal?

    package init(
        _ shape: ValueShape,
        literal: @escaping @Sendable (Value) -> ValueShape.Literal? = { _ in nil },
        _ read: @escaping @Sendable (Setting) -> Value?
    ) {
        self.shape = shape
        self.read = read
        self.literal = literal
    }
}

extension ValueFormat where Value == Bool {
    package static var flag: Self { Self(.flag, literal: { .flag($0) }) { $0.flag() } }
}

extension ValueFormat where Value == Int {
    package static func number(_ range: ClosedRange<Int>) -> Self {
        Self(.number(range), literal: { .number($0) }) { $0.number(in: range) }
    }
}

extension ValueFormat where Value == String {
    package static func text(bytesMax: Int = Setting.textBytesMax) -> Self {
        Self(.text(bytesMax: bytesMax), literal: { .text($0) }) { $0.text(bytesMax: bytesMax) }
    }

    /// Text, from any scalar regardless of its type in YAML.
    static var rawText: Self { Self(.scalar, literal: { .text($0) }) { $0.rawText() } }

    /// A name. `what` is used in the error message `… is not a valid argument name`.
    package static func name(_ what: String) -> Self { Self(.name) { $0.identifier(what) } }
}

extension ValueFormat where Value == Int64 {
    /// A duration in nanoseconds.
    static var duration: Self {
        Self(.pattern("^\(Durations.pattern)$", example: "15s")) { $0.duration() }
    }
}

extension ValueFormat where Value == UInt8 {
    static var byte: Self { Self(.byte, literal: { .text(ByteName.bare($0)) }) { $0.byte() } }
}

extension ValueFormat where Value: Equatable & Sendable {
    /// A word from a list. `open` is the value that `?` selects.
    package static func words(_ words: KeyValuePairs<String, Value>, open: Value? = nil) -> Self {
        self.words(Array(words), open: open)
    }

    package static func words(
        _ words: [(key: String, value: Value)], open: Value? = nil
    ) -> Self {
        Self(
            .words(words.map(\.key) + (open == nil ? [] : Setting.openWords)),
            literal: { value in
                if let word = words.first(where: { $0.value == value }) { return .text(word.key) }
                return value == open ? .text("?") : nil
            }
        ) { $0.word(words, open: open) }
    }
}
