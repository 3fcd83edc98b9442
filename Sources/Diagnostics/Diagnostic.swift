/// The severity of a diagnostic.
public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Processing cannot continue.
    case error
    /// Processing continues, but the result is probably not what you meant.
    case warning
    /// Useful information; nothing is wrong.
    case note
}

/// A stable identifier for a kind of diagnostic, such as `scenario.unknown-operator`.
public struct DiagnosticCode: Sendable, Hashable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The identifier as a string.
    public let word: String

    /// Creates a code from its identifier.
    public init(_ word: String) { self.word = word }

    /// Creates a code from its identifier.
    public init(stringLiteral word: String) { self.word = word }

    /// The identifier as a string.
    public var description: String { word }
}

/// A labelled range in source text.
public struct DiagnosticLocation: Sendable, Hashable {
    /// The source that contains the range.
    public var source: SourceText
    /// The range that the carets underline.
    public var range: SourceRange
    /// Text printed after the carets; may be empty.
    public var label: String

    /// Creates a location. If the source consists of several files, the location is in the file
    /// that contains the start of the range.
    public init(source: SourceText, range: SourceRange, label: String = "") {
        let (file, start) = source.file(at: range.start)
        self.source = file
        self.range = SourceRange(start: range.start - start, end: range.end - start)
        self.label = label
    }

    /// The line and column where the range starts.
    public var position: SourcePosition { source.position(at: range.start) }
}

/// A line printed below the excerpt, such as `= help: …`.
public struct DiagnosticNote: Sendable, Hashable {
    /// The kind of a note, printed as the keyword at the start of its line.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Additional information.
        case note
        /// A suggested fix.
        case help
        /// The specification or dialect rule behind the diagnostic.
        case cite
    }

    /// The keyword.
    public var kind: Kind
    /// The text without the keyword.
    public var text: String

    /// Creates a note.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// An error, warning or note for the user: what is wrong, where, and how to fix it.
public struct Diagnostic: Sendable, Hashable {
    /// The severity.
    public var severity: Severity
    /// The stable identifier for this kind of diagnostic.
    public var code: DiagnosticCode
    /// The problem in one line: what was expected and what was found.
    public var message: String
    /// The range to underline; nil if the problem is not in source text.
    public var location: DiagnosticLocation?
    /// Lines printed below the excerpt.
    public var notes: [DiagnosticNote]
    /// Other locations that help explain the problem.
    public var related: [DiagnosticLocation]

    /// Creates a diagnostic.
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

    /// Returns a copy with another `= help:` line.
    public func help(_ text: String) -> Diagnostic { adding(DiagnosticNote(.help, text)) }

    /// Returns a copy with another `= note:` line.
    public func note(_ text: String) -> Diagnostic { adding(DiagnosticNote(.note, text)) }

    /// Returns a copy with another related location.
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

/// An error with all problems found in a source text, in source order.
public struct Diagnosed: Error, Sendable, Hashable {
    /// The problems; never empty in practice.
    public var diagnostics: [Diagnostic]

    /// Creates an error with several diagnostics.
    public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// Creates an error with one diagnostic.
    public init(_ diagnostic: Diagnostic) { diagnostics = [diagnostic] }
}

extension Diagnostic: CustomStringConvertible {
    /// The rendered diagnostic without colours.
    public var description: String { DiagnosticRenderer().text(self) }
}

extension Diagnosed: CustomStringConvertible {
    /// The rendered diagnostics without colours.
    public var description: String { DiagnosticRenderer().text(diagnostics) }
}

extension Sequence<Diagnostic> {
    /// True if any of the diagnostics is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
