package import Diagnostics
import FoundationEssentials
import LineProtocol
package import Results

/// SARIF 2.1.0 reports, which code hosts show as annotations. Check findings refer to the dialect
/// setting that the check is based on; run and lint findings refer to the scenario.
package enum SARIFReport {
    /// Returns a report on the checks of one or more servers.
    package static func text(_ matrix: CheckMatrix) throws -> String {
        var log = SARIFLog(version: matrix.servers.first?.results.toolVersion ?? "")
        for server in matrix.servers {
            let label = matrix.servers.count > 1 ? "\(server.name): " : ""
            let drift = server.results.drift?.comparison.changed ?? []
            for check in server.results.checks {
                let change = drift.first { $0.id == check.id }
                guard change != nil || Self.level(check) != nil else { continue }
                let rule = log.rule("check/\(check.id)", Self.rule(check))
                var words = check.finding?.got ?? check.reason
                var level = Self.level(check) ?? "note"
                if let change {
                    words = "differs from the baseline: was \(change.before), now \(change.now)"
                    level = "error"
                }
                log.add(
                    rule, level: level, message: "\(label)\(check.id): \(words)",
                    locations: [check.basisLocation].compactMap(\.self).map(SARIFLog.Location.init),
                    isKnown: check.verdict == .knownFailure ? check.reason : nil)
            }
        }
        for server in matrix.servers {
            for item in server.results.commandTable?.breaks ?? [] {
                log.add(item, of: "\(server.results.dialect) (\(server.name))", isFailure: false)
            }
        }
        return try ResultsFile.text(log)
    }

    /// Returns a report on the failures and lint warnings of a run.
    package static func text(_ results: RunResults) throws -> String {
        var log = SARIFLog(version: results.toolVersion)
        for scenario in results.scenarios {
            let isKnown = scenario.verdict == .knownFailure ? scenario.reason : nil
            for diagnostic in scenario.diagnostics { log.add(diagnostic, isKnown: isKnown) }
        }
        for diagnostic in results.diagnostics { log.add(diagnostic) }
        for table in results.commandTables {
            for item in table.report.breaks {
                log.add(item, of: table.dialect, isFailure: results.brokenLinesFail)
            }
        }
        return try ResultsFile.text(log)
    }

    /// Returns a report on the linter's findings.
    package static func text(_ diagnostics: [Diagnostic], toolVersion: String) throws -> String {
        var log = SARIFLog(version: toolVersion)
        for diagnostic in diagnostics { log.add(diagnostic) }
        return try ResultsFile.text(log)
    }

    /// Returns the SARIF level of a check; nil if the check is not a finding.
    private static func level(_ check: CheckResult) -> String? {
        switch check.verdict {
        case .failed: check.level == .may ? "note" : "error"
        case .flaky, .delayed: "warning"
        case .inconclusive, .knownFailure: "note"
        case .passed, .observed, .skipped, .error: nil
        }
    }

    private static func rule(_ check: CheckResult) -> SARIFLog.RuleText {
        let why = CheckPhrases.because(check)
        return SARIFLog.RuleText(
            short: check.claim.isEmpty ? "\(check.id)" : check.claim, help: "\(why).",
            level: check.level.rawValue)
    }
}

/// A SARIF log with one run.
struct SARIFLog: Encodable {
    /// A SARIF `message` object.
    struct Message: Encodable { var text: String }

    /// The descriptions and default level of a rule.
    struct RuleText {
        var short: String
        var help: String
        var level: String?
    }

    /// A SARIF `reportingDescriptor` object.
    struct Rule: Encodable {
        /// A SARIF property bag for a rule.
        struct Properties: Encodable { var level: String }
        var id: String
        var shortDescription: Message
        var help: Message
        var properties: Properties?
    }

    /// A SARIF `toolComponent` object.
    struct Driver: Encodable {
        var name = "linejudge"
        var version: String
        var rules: [Rule] = []
    }

    /// A SARIF `tool` object.
    struct Tool: Encodable { var driver: Driver }

    /// A SARIF `location` object.
    struct Location: Encodable {
        /// A SARIF `physicalLocation` object.
        struct Physical: Encodable {
            /// A SARIF `artifactLocation` object.
            struct Artifact: Encodable { var uri: String }
            /// A SARIF `region` object.
            struct Region: Encodable {
                var startLine: Int
                var startColumn: Int
                var endLine: Int?
                var endColumn: Int?
            }
            var artifactLocation: Artifact
            var region: Region
        }
        var physicalLocation: Physical
    }

    /// A SARIF `suppression` object.
    struct Suppression: Encodable {
        var kind = "external"
        var justification: String
    }

    /// A SARIF `result` object.
    struct Finding: Encodable {
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Message
        var locations: [Location]
        var relatedLocations: [Location]?
        var suppressions: [Suppression]?
    }

    /// A SARIF `run` object.
    struct Run: Encodable {
        var tool: Tool
        var columnKind = "unicodeCodePoints"
        var results: [Finding] = []
    }

    /// Property names in the JSON output.
    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// Help text for rules without their own.
    private static let noHelp = "See docs/scenario-language.md for the list of codes."

    var schema = "https://json.schemastore.org/sarif-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    init(version: String) {
        runs = [Run(tool: Tool(driver: Driver(version: version)))]
    }

    /// Returns the index of a rule, adding the rule if it is new.
    mutating func rule(_ id: String, _ text: @autoclosure () -> RuleText) -> Int {
        if let index = runs[0].tool.driver.rules.firstIndex(where: { $0.id == id }) {
            return index
        }
        let text = text()
        runs[0].tool.driver.rules.append(
            Rule(
                id: id, shortDescription: Message(text: text.short), help: Message(text: text.help),
                properties: text.level.map(Rule.Properties.init)))
        return runs[0].tool.driver.rules.count - 1
    }

    mutating func add(
        _ rule: Int, level: String, message: String, locations: [Location],
        related: [Location] = [],
        isKnown reason: String? = nil
    ) {
        runs[0].results.append(
            Finding(
                ruleId: runs[0].tool.driver.rules[rule].id, ruleIndex: rule, level: level,
                message: Message(text: escapedForDisplay(message)), locations: locations,
                relatedLocations: related.isEmpty ? nil : related,
                suppressions: reason.map { [Suppression(justification: escapedForDisplay($0))] }))
    }

    /// Adds a diagnostic as a finding of the rule named after its code.
    mutating func add(_ diagnostic: Diagnostic, isKnown reason: String? = nil) {
        let id = diagnostic.code.word
        let notes = diagnostic.notes.map { "\($0.kind.rawValue): \($0.text)" }
        let rule = rule(id, RuleText(short: id, help: notes.first ?? Self.noHelp))
        let level =
            switch diagnostic.severity {
            case .error: "error"
            case .warning: "warning"
            default: "note"
            }
        add(
            rule, level: level, message: ([diagnostic.message] + notes).joined(separator: "; "),
            locations: [diagnostic.location].compactMap(\.self).map(Location.init),
            related: diagnostic.related.map(Location.init), isKnown: reason)
    }
}

extension SARIFLog {
    /// Adds a finding for lines that violate a command table in the same way. Its location is the
    /// scenario step that was running when the first of them occurred.
    fileprivate mutating func add(
        _ item: SchemaReport.Deviation, of dialect: String, isFailure: Bool
    ) {
        let rule = rule(
            "schema/\(item.kind)",
            RuleText(
                short: "Server line violates the command table: \(item.kind)",
                help:
                    "See docs/results-schema.md for the rules and the kinds of violations.")
        )
        add(
            rule, level: isFailure ? "error" : "warning",
            message: "\(dialect): \(SchemaPhrases.full(item))",
            locations: [item.location].compactMap { $0.map(Location.init) })
    }
}

extension SARIFLog.Location {
    init(_ location: SchemaReport.Location) {
        self.init(
            physicalLocation: Physical(
                artifactLocation: Physical.Artifact(uri: Self.uri(location.file)),
                region: Physical.Region(startLine: max(location.line ?? 1, 1), startColumn: 1)))
    }

    init(_ location: BasisLocation) {
        self.init(
            physicalLocation: Physical(
                artifactLocation: Physical.Artifact(uri: Self.uri(location.file)),
                region: Physical.Region(
                    startLine: location.line, startColumn: location.column,
                    endColumn: location.endColumn)))
    }

    init(_ location: DiagnosticLocation) {
        let start = location.position
        let end = location.source.position(at: location.range.end)
        self.init(
            physicalLocation: Physical(
                artifactLocation: Physical.Artifact(uri: Self.uri(location.source.path)),
                region: Physical.Region(
                    startLine: start.line, startColumn: start.column, endLine: end.line,
                    endColumn: end.column)))
    }

    /// Returns a path as a relative reference, or as a `file:` URI if it is absolute.
    private static func uri(_ path: String) -> String {
        let path = RepositoryPathConverter().path(path)
        let spelled = path.utf8.map { byte in
            let isPlain = byte.isASCIIWord || [0x2D, 0x2E, 0x2F, 0x5F, 0x7E].contains(byte)
            return isPlain
                ? String(decoding: [byte], as: UTF8.self)
                : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        return path.hasPrefix("/") ? "file://" + spelled : spelled
    }
}

extension UInt8 {
    fileprivate var isASCIIWord: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
