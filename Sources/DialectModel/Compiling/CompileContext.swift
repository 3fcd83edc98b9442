package import Diagnostics

/// The source and the scope of the text being compiled.
package struct CompileContext {
    /// The text that source ranges refer to.
    package var source: SourceText
    package var scope: Scope
    /// Index of the operator that `self` refers to; nil outside fragments and behaviours.
    package var itself: Int?
    /// Source range of the `use` step that inserted the text into the scenario; nil if there is
    /// none.
    package var useSite: SourceRange?
    /// True if the text belongs to a dialect behaviour.
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
