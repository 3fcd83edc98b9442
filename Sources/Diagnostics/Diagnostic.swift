/// How much a diagnostic weighs.
public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// It cannot go on like this.
    case error
    /// It goes on, but hardly as it was meant.
    case warning
    /// Something worth knowing.
    case note
}

/// The stable word of a kind of diagnostic, such as `scenario.unknown-operator`.
public struct DiagnosticCode: Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The word.
    public let word: String

    /// A code by its word.
    public init(_ word: String) { self.word = word }

    /// A code by its word.
    public init(stringLiteral word: String) { self.word = word }

    /// The word.
    public var description: String { word }
}

/// A place in a source, and what is to be said under it.
public struct DiagnosticLocation: Sendable, Hashable {
    /// The text.
    public var source: SourceText
    /// The piece of it.
    public var range: SourceRange
    /// What stands beside the carets; may be empty.
    public var label: String

    /// A place with its label.
    public init(source: SourceText, range: SourceRange, label: String = "") {
        self.source = source
        self.range = range
        self.label = label
    }

    /// Where the range starts.
    public var position: SourcePosition { source.position(at: range.start) }
}

/// A line below the excerpt: `= help: …`.
public struct DiagnosticNote: Sendable, Hashable {
    /// What such a line is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Something worth knowing.
        case note
        /// What to do.
        case help
        /// The rule behind it.
        case cite
    }

    /// What it is.
    public var kind: Kind
    /// The text, without its kind.
    public var text: String

    /// A line by kind and text.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// Something to be told to a person: what, where, and what to do about it.
public struct Diagnostic: Sendable, Hashable {
    /// How much it weighs.
    public var severity: Severity
    /// Its stable word.
    public var code: DiagnosticCode
    /// What was expected and what came, in one line.
    public var message: String
    /// Where; nil where there is no text to point into.
    public var location: DiagnosticLocation?
    /// Lines below the excerpt.
    public var notes: [DiagnosticNote]
    /// Further places that explain it.
    public var related: [DiagnosticLocation]

    /// A diagnostic from its parts.
    public init(
        _ severity: Severity, _ code: DiagnosticCode, _ message: String,
        at location: DiagnosticLocation? = nil, notes: [DiagnosticNote] = [],
        related: [DiagnosticLocation] = []
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.location = location
        self.notes = notes
        self.related = related
    }

    /// The same with one more `= help:` line.
    public func help(_ text: String) -> Diagnostic { adding(DiagnosticNote(.help, text)) }

    /// The same with one more `= note:` line.
    public func note(_ text: String) -> Diagnostic { adding(DiagnosticNote(.note, text)) }

    /// The same with one more place.
    public func related(_ location: DiagnosticLocation) -> Diagnostic {
        var copy = self
        copy.related.append(location)
        return copy
    }

    private func adding(_ note: DiagnosticNote) -> Diagnostic {
        var copy = self
        copy.notes.append(note)
        return copy
    }
}

/// What is thrown where a text cannot be used: everything that was found, worst first in no order
/// but that of the text.
public struct Diagnosed: Error, Sendable, Hashable {
    /// What was found; never empty in practice.
    public var diagnostics: [Diagnostic]

    /// An error from what was found.
    public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// An error from one diagnostic.
    public init(_ diagnostic: Diagnostic) { diagnostics = [diagnostic] }
}

extension Diagnostic: CustomStringConvertible {
    /// What people read, without colours.
    public var description: String { DiagnosticRenderer().text(self) }
}

extension Diagnosed: CustomStringConvertible {
    /// What people read, without colours.
    public var description: String { DiagnosticRenderer().text(diagnostics) }
}

extension Sequence<Diagnostic> {
    /// Whether one of them is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
