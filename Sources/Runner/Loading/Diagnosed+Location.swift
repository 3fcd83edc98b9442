import Diagnostics

extension Diagnosed {
    /// Returns the errors, with this location for errors that have none.
    func located(at location: DiagnosticLocation) -> Diagnosed {
        Diagnosed(
            diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                diagnostic.location = diagnostic.location ?? location
                return diagnostic
            })
    }

    /// Returns the errors with their excerpts taken from `source`, such as a copy of the file with
    /// hidden values.
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
