import Diagnostics
import FoundationEssentials
import LineProtocol

/// Encodes and decodes run results. The coding keys define the `linejudge.run/2` schema. New
/// members may be added to it, because readers ignore unknown members.
extension RunResults: Codable {
    private enum Key: String, CodingKey {
        case schema, toolVersion, seed, server, startedAt, durationNanoseconds, interruption
        case exitCode, counts, diagnostics, scenarios, sources
        case commandTables, brokenLinesFail
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let sources = SourceList(
            try container.decode([SourceRecord].self, forKey: .sources)
                .map { SourceText(path: $0.path, bytes: $0.text.bytes) })
        let diagnostics: [DiagnosticRecord] = try container.decode(orEmpty: .diagnostics)
        self.init(
            toolVersion: try container.decode(String.self, forKey: .toolVersion),
            seed: try container.decode(UInt64.self, forKey: .seed),
            server: try container.decode(ServerDescription.self, forKey: .server),
            startedAt: try container.decode(Int64.self, forKey: .startedAt),
            duration: try container.decode(Int64.self, forKey: .durationNanoseconds),
            scenarios: try container.decode(
                [ScenarioResult].self, forKey: .scenarios, configuration: sources),
            diagnostics: try diagnostics.map { try $0.diagnostic(sources.sources) },
            interruption: try container.decodeIfPresent(Interruption.self, forKey: .interruption))
        let tables: [TableRecord] = try container.decode(orEmpty: .commandTables)
        commandTables = tables.prefix(Self.tablesMax).map {
            CommandTable(dialect: $0.dialect, report: $0.lines.report)
        }
        brokenLinesFail = try container.decodeFlag(.brokenLinesFail)
    }

    /// Maximum number of command tables read from a file. A run writes one per dialect.
    private static var tablesMax: Int { 64 }

    /// Findings for one command table: the dialect's name, and the members of the report.
    private struct TableRecord: Codable {
        var dialect: String
        var lines: SchemaRecord

        private enum Key: String, CodingKey { case dialect }

        init(_ table: CommandTable) {
            dialect = table.dialect
            lines = SchemaRecord(table.report)
        }

        init(from decoder: any Decoder) throws {
            dialect = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .dialect)
            lines = try SchemaRecord(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(dialect, forKey: .dialect)
            try lines.encode(to: encoder)
        }
    }

    /// Encodes the results and, for other tools, the counts and the exit code, which are ignored
    /// when decoding.
    package func encode(to encoder: any Encoder) throws {
        let table = SourceList()
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(toolVersion, forKey: .toolVersion)
        try container.encode(seed, forKey: .seed)
        try container.encode(server, forKey: .server)
        try container.encode(startedAt, forKey: .startedAt)
        try container.encode(duration, forKey: .durationNanoseconds)
        try container.encodeIfPresent(interruption, forKey: .interruption)
        try container.encode(exitCode.rawValue, forKey: .exitCode)
        let counts = counts
        let named = Verdict.ofScenarios.map { ($0.rawValue, counts[$0]) }
        try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .counts)
        // Encode `scenarios` before `sources`, because this adds their source files to the table.
        try container.encode(scenarios, forKey: .scenarios, configuration: table)
        try container.encode(
            unlessEmpty: diagnostics.map { DiagnosticRecord($0, table) }, forKey: .diagnostics)
        try container.encode(
            unlessEmpty: commandTables.map(TableRecord.init), forKey: .commandTables)
        try container.encode(ifTrue: brokenLinesFail, forKey: .brokenLinesFail)
        let sources = table.sources.map { SourceRecord(path: $0.path, text: ByteText($0.bytes)) }
        try container.encode(sources, forKey: .sources)
    }
}
