/// A list of diagnostics with a maximum number of errors.
public struct DiagnosticList: Sendable {
    /// The diagnostics, in the order they were added.
    public private(set) var diagnostics: [Diagnostic] = []
    /// The maximum number of errors to keep.
    public let errorsMax: Int

    private var errorCount = 0

    /// Creates an empty list.
    public init(errorsMax: Int) { self.errorsMax = errorsMax }

    /// True once the list contains the maximum number of errors. The caller should then stop.
    public var isFull: Bool { errorCount >= errorsMax }

    /// Adds a diagnostic. Errors beyond the maximum are dropped.
    public mutating func add(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error {
            if isFull { return }
            errorCount += 1
        }
        diagnostics.append(diagnostic)
    }

    /// The diagnostics in source order. Diagnostics without a location come first.
    public var sorted: [Diagnostic] {
        func offset(_ diagnostic: Diagnostic) -> Int { diagnostic.location?.range.start ?? -1 }
        return diagnostics.enumerated()
            .sorted { (offset($0.element), $0.offset) < (offset($1.element), $1.offset) }
            .map(\.element)
    }
}
