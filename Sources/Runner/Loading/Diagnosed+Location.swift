import Diagnostics

extension Diagnosed {
    /// Returns the errors; those without a location get this one.
    func located(at location: DiagnosticLocation) -> Diagnosed {
        Diagnosed(
            diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.location = diagnostic.location ?? location
                return diagnostic
            })
    }

    /// Returns the errors with excerpts from a different text, such as one in which values are
    /// hidden.
    func shown(in source: SourceText) -> Diagnosed {
        Diagnosed(
            diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.location?.source = source
                for index in diagnostic.related.indices {
                    diagnostic.related[index].source = source
                }
                return diagnostic
            })
    }
}
