import Diagnostics

/// The positions of a dialect's settings in its file.
struct DialectPositions {
    private let source: SourceText?
    private let root: YamlValue?

    init(_ source: SourceText?) {
        self.source = source
        root = source.flatMap { source in
            do throws(Diagnosed) {
                return try YamlReader.read(source)
            } catch {
                return nil
            }
        }
    }

    /// Returns the position of the deepest existing key on the path, or of the file's first key if
    /// there is none; nil without a file.
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
