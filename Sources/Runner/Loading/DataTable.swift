package import Diagnostics

/// The data rows for a scenario's runs, from a CSV or JSON Lines file.
package struct DataTable: Sendable, Hashable {
    static let bytesMax = SourceText.bytesMax
    static let rowsMax = 10_000
    static let columnsMax = 100
    static let errorsMax = 20

    /// Column names, in order.
    package var columns: [String]
    package var rows: [DataRow] = []

    /// Parses a file. Its file name extension determines the format.
    package init(_ source: SourceText) throws(Diagnosed) {
        guard let isJSON = Self.isJSON(source.path) else {
            throw Diagnosed(
                Diagnostic(
                    .error, .badData,
                    "`\(escapedForDisplay(source.path))` is not a data file"
                ).help("name it FILE.csv, FILE.jsonl or FILE.ndjson"))
        }
        try Self.check(source)
        columns = []
        if isJSON { try readObjects(source) } else { try readRecords(source) }
        guard rows.isEmpty else { return }
        throw Self.error(
            "the file has no rows, so the scenario would not run", source,
            SourceRange(start: 0, end: 0),
            help: isJSON
                ? "write a line such as {\"nick\": \"alice\"}"
                : "write the column names on the first line, and the values for each run on a separate line"
        )
    }

    private static func isJSON(_ path: String) -> Bool? {
        if path.hasSuffix(".csv") { return false }
        return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") ? true : nil
    }

    private static func check(_ source: SourceText) throws(Diagnosed) {
        if source.isTruncated || source.bytes.count > bytesMax {
            throw error(
                "a data file is limited to \(bytesMax >> 20) MiB", source,
                SourceRange(start: 0, end: 0),
                help: "split the file, and give each part its own scenario")
        }
        guard String(validating: source.bytes, as: UTF8.self) == nil else { return }
        let valid = String(decoding: source.bytes, as: UTF8.self).utf8
        let offset =
            zip(source.bytes, valid).enumerated()
            .first { $0.element.0 != $0.element.1 }?.offset ?? 0
        throw error(
            "the file is not UTF-8", source, SourceRange(start: offset, end: offset + 1),
            help: "save it as UTF-8")
    }

    // MARK: Comma-separated values

    private mutating func readRecords(_ source: SourceText) throws(Diagnosed) {
        var reader = CSVReader(source)
        guard let names = try reader.record() else { return }
        for name in names {
            try addColumn(String(decoding: name.value, as: UTF8.self), name.range, source)
        }
        var problems = DiagnosticList(errorsMax: Self.errorsMax)
        while !problems.isFull, let fields = try reader.record() {
            guard fields.count == columns.count else {
                problems.add(Self.wrongCount(fields, columns.count, source))
                continue
            }
            let values = zip(columns, fields.map(\.value))
            try add(Dictionary(uniqueKeysWithValues: values), at: fields[0].range, source)
        }
        if !problems.diagnostics.isEmpty { throw Diagnosed(problems.sorted) }
    }

    private static func wrongCount(
        _ fields: [CSVReader.Field], _ count: Int, _ source: SourceText
    ) -> Diagnostic {
        let range = fields.count > count ? fields[count].range : fields[fields.count - 1].range
        return Diagnostic(
            .error, .badData, "expected \(counted(count, "field")), found \(fields.count)",
            at: DiagnosticLocation(source: source, range: range)
        ).help("put a field that contains a comma in quotes")
    }

    // MARK: JSON Lines

    private mutating func readObjects(_ source: SourceText) throws(Diagnosed) {
        for number in 1...source.lineCount {
            let line = source.range(ofLine: number)
            if source.bytes(in: line).allSatisfy({ $0 == UInt8(ascii: " ") }) { continue }
            var reader = JSONObjectReader(source, line, code: .badData)
            let members = try reader.members()
            if columns.isEmpty {
                for member in members { try addColumn(member.name, member.nameRange, source) }
            }
            if let other = members.first(where: { !columns.contains($0.name) }) {
                throw Self.error(
                    "the first row has no `\(escapedForDisplay(other.name))`", source,
                    other.nameRange, help: "all rows must have the same names")
            }
            if let name = columns.first(where: { name in !members.contains { $0.name == name } }) {
                throw Self.error(
                    "the row has no `\(name)`", source, line,
                    help:
                        "each row must have the same names as the first one; write \"\" for an empty string"
                )
            }
            let values = members.map { ($0.name, $0.value) }
            try add(Dictionary(uniqueKeysWithValues: values), at: line, source)
        }
    }

    // MARK: Columns and rows

    /// Names of variables that exist in every scenario and therefore cannot be column names.
    private static let reserved: Set = ["_", "self", "nonce", "end", "length", "port", "dir"]

    private mutating func addColumn(
        _ name: String, _ range: SourceRange, _ source: SourceText
    ) throws(Diagnosed) {
        guard RunVariables.isName(name), !Self.reserved.contains(name) else {
            throw Self.error(
                "`\(escapedForDisplay(name))` cannot be a variable name", source, range,
                help: Self.reserved.contains(name)
                    ? "the name is reserved"
                    : "the first line must contain the column names, separated by commas; a name consists of "
                        + "letters, digits, `_` and `-`")
        }
        guard !columns.contains(name) else {
            throw Self.error(
                "two columns are named `\(name)`", source, range, help: "rename one of them")
        }
        guard columns.count < Self.columnsMax else {
            throw Self.error(
                "a data file is limited to \(Self.columnsMax) columns", source, range,
                help: "remove columns that the scenario does not use")
        }
        columns.append(name)
    }

    private mutating func add(
        _ values: [String: [UInt8]], at range: SourceRange, _ source: SourceText
    ) throws(Diagnosed) {
        guard rows.count < Self.rowsMax else {
            throw Self.error(
                "a data file is limited to \(Self.rowsMax) rows", source, range,
                help: "split the file, and give each part its own scenario")
        }
        let line = source.position(at: range.start).line
        rows.append(
            DataRow(number: rows.count + 1, location: "\(source.path):\(line)", values: values))
    }

    private static func error(
        _ message: String, _ source: SourceText, _ range: SourceRange, help: String
    ) -> Diagnosed {
        Diagnosed(
            Diagnostic(
                .error, .badData, message, at: DiagnosticLocation(source: source, range: range)
            ).help(help))
    }
}

/// A row of data: the variable values for one run of a scenario.
package struct DataRow: Sendable, Hashable {
    /// The row number, starting at 1 and not counting the header row.
    package var number: Int
    /// Path and line number of the row.
    package var location: String
    package var values: [String: [UInt8]]
}
