package import Diagnostics

/// Where text that is being compiled comes from, and what it may refer to.
package struct CompileContext {
    /// The text that ranges point into.
    package var source: SourceText
    /// The variables that are known.
    package var scope: Scope
    /// The operator that `self` stands for, by index; nil outside of fragments and behaviours.
    package var itself: Int?
    /// The `use` in the scenario that brought the text in.
    package var useSite: SourceRange?
    /// Whether the text belongs to one of the dialect's behaviours.
    package var isBehaviour: Bool

    package init(
        source: SourceText, scope: Scope, itself: Int? = nil, useSite: SourceRange? = nil,
        isBehaviour: Bool = false
    ) {
        self.source = source
        self.scope = scope
        self.itself = itself
        self.useSite = useSite
        self.isBehaviour = isBehaviour
    }
}
