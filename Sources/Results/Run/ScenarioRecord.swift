import Diagnostics
import LineProtocol

/// A scenario's result as it stands in a results file.
struct ScenarioRecord: Codable {
    struct Rule: Codable {
        var document: String
        var section: String?
        var level: String
        var quote: String?
    }

    var path: String
    var title: String
    var tags: [String]
    var segmentation: String
    var dialect: String
    var verdict: String
    var reason: String?
    var line: Int?
    var diagnostics: [DiagnosticRecord]?
    var rules: [Rule]?
    var attempts: Int
    var durationNanoseconds: Int64
    var stepsPlayed: Int
    var timingBased: Bool?
    var unreachable: Bool?
    var serverOutput: ByteText?
    var transcript: [TranscriptEntry]

    init(_ result: ScenarioResult, _ table: inout SourceTable) {
        path = result.path
        title = result.title
        tags = result.tags
        segmentation = result.segmentation.word
        dialect = result.dialect
        verdict = result.verdict.rawValue
        reason = result.reason.isEmpty ? nil : result.reason
        line = result.line
        if !result.diagnostics.isEmpty {
            diagnostics = result.diagnostics.map { DiagnosticRecord($0, &table) }
        }
        if !result.rules.isEmpty {
            rules = result.rules.map {
                Rule(
                    document: $0.document, section: $0.section, level: $0.level.rawValue,
                    quote: $0.quote)
            }
        }
        attempts = result.attempts
        durationNanoseconds = result.duration
        stepsPlayed = result.stepsPlayed
        timingBased = result.isTimingBased ? true : nil
        unreachable = result.isUnreachable ? true : nil
        serverOutput = result.serverOutput.isEmpty ? nil : ByteText(result.serverOutput)
        transcript = result.transcript
    }

    func result(_ sources: [SourceText]) throws -> ScenarioResult {
        guard let segmentation = Segmentation(segmentation) else {
            throw ResultsFileError("`\(segmentation)` is no segmentation that this version knows")
        }
        var result = ScenarioResult(
            path: path, title: title, tags: tags, segmentation: segmentation, dialect: dialect,
            verdict: try known(verdict, "verdict"), reason: reason ?? "",
            diagnostics: try (diagnostics ?? []).map { try $0.diagnostic(sources) },
            rules: try (rules ?? []).map {
                CitedRule(
                    document: $0.document, section: $0.section,
                    level: try known($0.level, "level"), quote: $0.quote)
            })
        result.line = line
        result.attempts = attempts
        result.duration = durationNanoseconds
        result.stepsPlayed = stepsPlayed
        result.isTimingBased = timingBased ?? false
        result.isUnreachable = unreachable ?? false
        result.serverOutput = serverOutput?.bytes ?? []
        result.transcript = transcript
        return result
    }
}
