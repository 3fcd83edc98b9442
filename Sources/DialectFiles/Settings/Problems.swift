package import Diagnostics

/// Collector of the errors and unspecified policies found while reading a file.
package final class Problems {
    /// Maximum number of errors reported.
    static let errorsMax = 20

    package let source: SourceText
    private let kind: FileKind
    package private(set) var list = DiagnosticList(errorsMax: Problems.errorsMax)
    /// Paths of the unspecified policies, in file order.
    private(set) var openPolicies: [String] = []

    package init(_ source: SourceText, _ kind: FileKind = .dialect) {
        self.source = source
        self.kind = kind
    }

    package var hasErrors: Bool { list.diagnostics.hasErrors }

    package func location(_ range: SourceRange, _ label: String = "") -> DiagnosticLocation {
        DiagnosticLocation(source: source, range: range, label: label)
    }

    package func error(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, label: String = "",
        help: String? = nil, first: SourceRange? = nil
    ) {
        var fault = Diagnostic(.error, code, message, at: location(range, label))
        if let first { fault = fault.related(location(first, "first defined here")) }
        if let help { fault = fault.help(help) }
        add(fault)
    }

    /// Adds a diagnostic unless it has already been added. An escape rule is read once per
    /// position, and the whole file once per profile, but each error should be reported only once.
    package func add(_ diagnostic: Diagnostic) {
        let diagnostic = kind.worded(diagnostic)
        if !list.diagnostics.contains(diagnostic) { list.add(diagnostic) }
    }

    func isOpen(_ path: String) {
        if !openPolicies.contains(path) { openPolicies.append(path) }
    }
}

/// Formats a list such as "`a`, `b` or `c`". If the list is long, only its first words are shown,
/// followed by the number of others.
package func listed(_ words: some Sequence<String>, _ last: String = "or") -> String {
    let shownMax = 16
    var quoted = words.map { "`\($0)`" }
    guard quoted.count > 1 else { return quoted.first ?? "" }
    if quoted.count > shownMax {
        let others = quoted.count - shownMax
        return quoted.prefix(shownMax).joined(separator: ", ") + " and \(others) more"
    }
    let end = quoted.removeLast()
    return quoted.joined(separator: ", ") + " \(last) \(end)"
}
