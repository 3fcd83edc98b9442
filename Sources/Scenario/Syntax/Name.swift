package import Diagnostics

/// A title, or the name of an operator, variable, command or tag.
package struct Name: Sendable, Equatable {
    package var text: String
    @NotCompared package var range: SourceRange

    package init(_ text: String, range: SourceRange) {
        self.text = text
        self.range = range
    }
}

/// The operator that runs a step.
package enum Actor: Sendable, Equatable {
    /// A named operator.
    case named(Name)
    /// The operator that runs the fragment or behaviour. The range is empty if `self` is implied.
    case itself(NotCompared<SourceRange>)

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
