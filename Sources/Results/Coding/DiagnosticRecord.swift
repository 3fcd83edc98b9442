package import Diagnostics

/// The source files that diagnostics refer to. Each file is stored once, and diagnostics refer to
/// it by index.
package final class SourceList {
    package private(set) var sources: [SourceText]
    private var indices: [String: [Int]] = [:]

    init(_ sources: [SourceText] = []) { self.sources = sources }

    /// Returns the index of a source file, adding the file if it is new.
    func index(of source: SourceText) -> Int {
        let known = indices[source.path] ?? []
        if let index = known.first(where: { sources[$0].bytes == source.bytes }) { return index }
        sources.append(source)
        indices[source.path, default: []].append(sources.count - 1)
        return sources.count - 1
    }
}

/// A source file, as stored in a results file.
struct SourceRecord: Codable {
    var path: String
    var text: ByteText
}

/// A source location, as stored in a results file. The line and column are only for human readers;
/// decoding uses the offsets.
struct LocationRecord: Codable {
    var source: Int
    var start: Int
    var end: Int
    var line: Int?
    var column: Int?
    var label: String?

    init(_ location: DiagnosticLocation, _ table: SourceList) {
        source = table.index(of: location.source)
        start = location.range.start
        end = location.range.end
        line = location.position.line
        column = location.position.column
        label = location.label.isEmpty ? nil : location.label
    }

    func location(_ sources: [SourceText]) throws -> DiagnosticLocation {
        guard sources.indices.contains(source) else {
            throw ResultsFileError(
                "a diagnostic refers to source \(source), which the file does not contain")
        }
        return DiagnosticLocation(
            source: sources[source], range: SourceRange(start: start, end: end),
            label: label ?? "")
    }
}

/// A diagnostic, as stored in a results file.
struct DiagnosticRecord: Codable {
    /// Additional information for a diagnostic.
    struct Note: Codable {
        var kind: String
        var text: String
    }

    var severity: String
    var code: String
    var message: String
    var at: LocationRecord?
    var notes: [Note]?
    var related: [LocationRecord]?

    init(_ diagnostic: Diagnostic, _ table: SourceList) {
        severity = diagnostic.severity.rawValue
        code = diagnostic.code.word
        message = diagnostic.message
        if let location = diagnostic.location { at = LocationRecord(location, table) }
        if !diagnostic.notes.isEmpty {
            notes = diagnostic.notes.map { Note(kind: $0.kind.rawValue, text: $0.text) }
        }
        if !diagnostic.related.isEmpty {
            related = diagnostic.related.map { LocationRecord($0, table) }
        }
    }

    func diagnostic(_ sources: [SourceText]) throws -> Diagnostic {
        Diagnostic(
            try known(severity, "severity"), DiagnosticCode(EarlierNames.code(code)), message,
            at: try at?.location(sources),
            notes: try (notes ?? []).map {
                DiagnosticNote(try known($0.kind, "note kind"), $0.text)
            },
            related: try (related ?? []).map { try $0.location(sources) })
    }
}
