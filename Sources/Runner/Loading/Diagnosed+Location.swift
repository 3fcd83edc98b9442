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

extension [Diagnostic] {
    /// Returns the diagnostics at other locations than those of `reported`, so that no mistake is
    /// reported twice.
    func elsewhere(than reported: [Diagnostic]) -> [Diagnostic] {
        let locations = reported.compactMap(\.location)
        return filter { diagnostic in
            guard let location = diagnostic.location else { return true }
            return !locations.contains {
                $0.range == location.range && $0.source == location.source
            }
        }
    }
}
