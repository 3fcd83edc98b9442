import Diagnostics
import Testing

struct DiagnosticListTests {
    private func diagnostic(_ severity: Severity, at start: Int?) -> Diagnostic {
        let source = SourceText(path: "a", text: "0123456789")
        let location = start.map {
            DiagnosticLocation(source: source, range: SourceRange(start: $0, end: $0 + 1))
        }
        return Diagnostic(severity, "c", "m\(start ?? -1)", at: location)
    }

    @Test func errorsPastTheMaximumAreDropped() {
        var list = DiagnosticList(errorsMax: 2)
        for start in 0..<2 {
            #expect(!list.isFull)
            list.add(diagnostic(.error, at: start))
        }
        #expect(list.isFull)
        list.add(diagnostic(.error, at: 3))
        list.add(diagnostic(.warning, at: 4))
        #expect(list.diagnostics.map(\.message) == ["m0", "m1", "m4"])
        #expect(list.diagnostics.hasErrors)
    }

    @Test func theOrderIsThatOfTheText() {
        var list = DiagnosticList(errorsMax: 9)
        for start in [5, 2, nil, 2, 0] { list.add(diagnostic(.note, at: start)) }
        #expect(list.sorted.map(\.message) == ["m-1", "m0", "m2", "m2", "m5"])
        #expect(!list.diagnostics.hasErrors)
    }
}
