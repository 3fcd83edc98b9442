package import Diagnostics

/// A word that names something (an operator, a variable, a message, a tag), or a title.
package struct Name: Sendable, Equatable {
    /// The word.
    package var text: String
    /// Where it stands.
    @NotCompared package var range: SourceRange

    /// A word at a place.
    package init(_ text: String, range: SourceRange) {
        self.text = text
        self.range = range
    }
}

/// Who carries out a step.
package enum Actor: Sendable, Equatable {
    /// The operator of that name.
    case named(Name)
    /// Whoever plays the fragment or behaviour; the range is empty where `self` was left out.
    case itself(NotCompared<SourceRange>)

    /// Where it stands.
    package var range: SourceRange {
        switch self {
        case .named(let name): name.range
        case .itself(let range): range.wrappedValue
        }
    }

    /// The operator's name; nil for `self`.
    package var name: String? {
        if case .named(let name) = self { name.text } else { nil }
    }
}
