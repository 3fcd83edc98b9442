/// Gathers diagnostics up to a number of errors.
public struct DiagnosticList: Sendable {
    /// What was gathered, in the order in which it was found.
    public private(set) var diagnostics: [Diagnostic] = []
    /// How many errors are taken.
    public let errorsMax: Int

    private var errorCount = 0

    /// An empty list that takes so many errors.
    public init(errorsMax: Int) { self.errorsMax = errorsMax }

    /// Whether no further error is taken; whoever gathers should stop.
    public var isFull: Bool { errorCount >= errorsMax }

    /// Takes a diagnostic; an error past the maximum is dropped.
    public mutating func add(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error {
            if isFull { return }
            errorCount += 1
        }
        diagnostics.append(diagnostic)
    }

    /// What was gathered, in the order of the text; what has no place comes first.
    public var sorted: [Diagnostic] {
        func place(_ diagnostic: Diagnostic) -> Int { diagnostic.location?.range.start ?? -1 }
        return diagnostics.enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
