import Console
package import Diagnostics
import DialectFiles
import Results

/// Variable values from a file that contains a YAML or JSON map, or `NAME=value` lines.
package struct VariablesFile {
    static let bytesMax = 512 << 10

    private(set) var values: [String: [UInt8]] = [:]
    /// Names of variables that the file marks as secret.
    private(set) var secrets: Set<String> = []

    init(_ path: String) throws(CommandFailure) {
        let source = try TextFiles.read(path, bytesMax: Self.bytesMax)
        do {
            try self.init(source)
        } catch {
            throw CommandFailure(.unparsable, Self.masked(error, in: source))
        }
    }

    package init(_ source: SourceText) throws(Diagnosed) {
        switch Self.format(of: source.path) {
        case .yaml: try readMap(source)
        case .json: try readObject(source)
        case .lines: try readLines(source)
        case nil:
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable,
                    "`\(escapedForDisplay(source.path))` is not a variables file"
                ).help("name it FILE.yaml, FILE.yml, FILE.json or FILE.env"))
        }
    }

    // MARK: Formats

    private enum Format {
        case yaml, json, lines
    }

    /// Returns the format, based on the file's name; nil if it is unknown. Files such as `.env`,
    /// `test.env` and `.env.test` contain lines.
    private static func format(of path: String) -> Format? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if [".yaml", ".yml"].contains(where: name.hasSuffix) { return .yaml }
        if name.hasSuffix(".json") { return .json }
        return name.hasSuffix(".env") || name.hasPrefix(".env.") ? .lines : nil
    }

    private mutating func readObject(_ source: SourceText) throws(Diagnosed) {
        try Self.checkSize(of: source)
        var reader = JSONObjectReader(
            source, SourceRange(start: 0, end: source.bytes.count), code: .badVariable)
        for member in try reader.members() {
            guard RunVariables.isName(member.name) else {
                throw Self.badName(DiagnosticLocation(source: source, range: member.nameRange))
            }
            values[member.name] = member.value
        }
    }

    private mutating func readMap(_ source: SourceText) throws(Diagnosed) {
        guard let root = try YamlReader.read(source, as: .variables) else { return }
        guard case .map(let entries) = root.kind else {
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable, "expected a map of variables",
                    at: DiagnosticLocation(source: source, range: root.range)
                ).help("write lines such as `room: \"#test\"`"))
        }
        var problems = DiagnosticList(errorsMax: Self.errorsMax)
        for entry in entries {
            do throws(Diagnosed) {
                try take(entry, source)
            } catch {
                for diagnostic in error.diagnostics { problems.add(diagnostic) }
            }
        }
        if !problems.diagnostics.isEmpty { throw Diagnosed(problems.sorted) }
    }

    private mutating func take(_ entry: YamlEntry, _ source: SourceText) throws(Diagnosed) {
        guard case .scalar(let name, _) = entry.key.kind, RunVariables.isName(name) else {
            throw Self.badName(DiagnosticLocation(source: source, range: entry.key.range))
        }
        let location = DiagnosticLocation(source: source, range: entry.value.range)
        guard case .scalar(let text, _) = entry.value.kind else {
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable,
                    "expected a string or a number as the value of `\(name)`, found "
                        + entry.value.description,
                    at: location
                ).help("variables cannot be nested: write one variable for each value"))
        }
        if entry.value.isNothing {
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable, "`\(name)` has no value",
                    at: DiagnosticLocation(source: source, range: entry.key.range)
                ).help("write \"\" for an empty string"))
        }
        values[name] = Array(text.utf8)
    }

    private mutating func readLines(_ source: SourceText) throws(Diagnosed) {
        try Self.checkSize(of: source)
        var problems = DiagnosticList(errorsMax: Self.errorsMax)
        var first: [String: SourceRange] = [:]
        for number in 1...source.lineCount where !problems.isFull {
            do throws(Diagnosed) {
                var reader = AssignmentReader(source, line: number)
                guard let found = try reader.assignment() else { continue }
                if let earlier = first[found.name] {
                    throw Self.duplicate(found, earlier, source)
                }
                first[found.name] = found.range
                take(found)
            } catch {
                for diagnostic in error.diagnostics { problems.add(diagnostic) }
            }
        }
        if !problems.diagnostics.isEmpty { throw Diagnosed(problems.sorted) }
    }

    /// Adds an assignment. If its name starts with a prefix such as `LINEJUDGE_SECRET_`, the prefix
    /// is removed.
    private mutating func take(_ found: AssignmentReader.Assignment) {
        let named = RunVariables.variable(inEnvironment: found.name)
        guard let (name, isSecret) = named, !name.isEmpty else {
            return values[found.name] = found.value
        }
        if isSecret { secrets.insert(name) }
        values[name] = found.value
    }

    private static func checkSize(of source: SourceText) throws(Diagnosed) {
        guard source.bytes.count > bytesMax || source.isTruncated else { return }
        throw Diagnosed(
            Diagnostic(
                .error, .badVariable, "a variables file is limited to \(bytesMax >> 10) KiB",
                at: DiagnosticLocation(source: source, range: SourceRange(start: 0, end: 0))))
    }

    // MARK: Errors

    static let errorsMax = 20

    static func badName(_ location: DiagnosticLocation) -> Diagnosed {
        Diagnosed(
            Diagnostic(.error, .badVariable, "invalid variable name", at: location)
                .help(
                    "a name consists of letters, digits, `_` and `-`, and does not start with a digit"
                ))
    }

    private static func duplicate(
        _ found: AssignmentReader.Assignment, _ earlier: SourceRange, _ source: SourceText
    ) -> Diagnosed {
        Diagnosed(
            Diagnostic(
                .error, .badVariable, "`\(found.name)` is set twice",
                at: DiagnosticLocation(source: source, range: found.range)
            ).related(
                DiagnosticLocation(source: source, range: earlier, label: "first defined here")
            )
            .help("keep one of the lines"))
    }

    /// Masks the values in excerpts from the file, because they may be secret and logs may be
    /// public.
    private static func masked(_ error: Diagnosed, in source: SourceText) -> Diagnosed {
        var bytes = source.bytes
        let shown = Array(" \t\"'{}[],:#\\".utf8)
        for number in 1...source.lineCount {
            let line = source.range(ofLine: number)
            let text = bytes[line.start..<line.end].drop { " \t".utf8.contains($0) }
            let hasExport = text.starts(with: Array("export ".utf8))
            let start = text.dropFirst(hasExport ? 7 : 0).firstIndex { " =:".utf8.contains($0) }
            for offset in (start ?? line.end)..<line.end
            where bytes[offset] != UInt8(ascii: "=") && !shown.contains(bytes[offset]) {
                bytes[offset] = UInt8(ascii: "*")
            }
        }
        return error.shown(in: SourceText(path: source.path, bytes: bytes))
    }
}
