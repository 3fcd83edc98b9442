import Diagnostics

/// The positions of a dialect's settings in its file.
struct DialectPositions {
    private let source: SourceText?
    private let root: YamlValue?

    init(_ source: SourceText?) {
        let read = source.flatMap { source in
            do throws(Diagnosed) {
                return try BaseDialect.read(source)
            } catch {
                return nil
            }
        }
        self.source = read?.source ?? source
        root = read?.root
    }

    /// Returns the position of the last key on the path that exists in the file. If none does,
    /// returns the position of the file's first key. Returns nil if there is no file.
    func location(_ path: String, _ label: String = "") -> DiagnosticLocation? {
        guard let source, var value = root else { return nil }
        var range: SourceRange?
        if case .map(let entries) = value.kind { range = entries.first?.key.range }
        for name in path.split(separator: ".") {
            guard case .map(let entries) = value.kind,
                let entry = entries.first(where: { $0.name == name })
            else { break }
            range = entry.key.range
            value = entry.value
        }
        guard let range else { return nil }
        return DiagnosticLocation(source: source, range: range, label: label)
    }
}
