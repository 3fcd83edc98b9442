import Diagnostics
import DialectFiles
import Scenario

extension ScenarioFile {
    /// Reads the rows from the file in the `data` line; nil if there is no such line.
    ///
    /// - Throws: The errors in the file, or an error located at the `data` line if the file cannot
    ///   be read.
    func dataTable() throws(Diagnosed) -> DataTable? {
        guard let name = header.data else { return nil }
        let path = path(of: name.text)
        let location = DiagnosticLocation(source: source, range: name.range)
        let bytes: [UInt8]
        do {
            bytes = try TextFile.read(
                path, within: root(of: name.text), bytesMax: DataTable.bytesMax)
        } catch {
            throw Diagnosed(
                Diagnostic(
                    .error, .badData, "cannot read `\(escapedForDisplay(path))`: \(error)",
                    at: location
                ).help("the path is relative to the scenario's folder"))
        }
        do {
            return try DataTable(SourceText(path: path, bytes: bytes))
        } catch {
            let shown =
                header.secrets.isEmpty ? error : error.shown(in: Self.hidden(bytes, path))
            throw shown.located(at: location)
        }
    }

    /// Returns the file with its values hidden, because errors show excerpts and some values are
    /// secret.
    private static func hidden(_ bytes: [UInt8], _ path: String) -> SourceText {
        let shown = Array(" ,:\"{}\t\r\n".utf8)
        return SourceText(
            path: path, bytes: bytes.map { shown.contains($0) ? $0 : UInt8(ascii: "*") })
    }
}

extension LoadedScenario {
    /// Maximum number of characters shown per value in a title.
    private static let labelMax = 40

    /// Returns the scenario for one row. Its title contains the row number and the first non-secret
    /// value.
    func with(_ row: DataRow, secrets: Set<String>) -> LoadedScenario {
        let hidden = secrets.union(secretNames)
        let column = data?.columns.first { !hidden.contains($0) }
        let value = column.flatMap { row.values[$0] } ?? []
        let text = escapedForDisplay(value)
        let label = text.count > Self.labelMax ? text.prefix(Self.labelMax) + "…" : text
        var copy = self
        copy.row = row
        copy.title += label.isEmpty ? " [row \(row.number)]" : " [row \(row.number): \(label)]"
        return copy
    }

    /// Returns the variable values. The row's values take precedence over values set from outside.
    func values(_ variables: RunVariables) -> [String: [UInt8]] {
        guard let row else { return variables.values }
        return variables.values.merging(row.values) { _, value in value }
    }
}
