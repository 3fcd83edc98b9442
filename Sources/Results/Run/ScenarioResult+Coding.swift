import FoundationEssentials

/// Encodes and decodes a scenario's result. All scenarios share one list of source files.
extension ScenarioResult: CodableWithConfiguration {
    private enum Key: String, CodingKey {
        case path, title, tags, row, segmentation, dialect, dialectFile, verdict, reason, line
        case diagnostics, rules, attempts, durationNanoseconds, stepsRun, timingBased, unreachable,
            serverOutput
        case transcript, focus
    }

    package init(from decoder: any Decoder, configuration sources: SourceList) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let word = try container.decode(String.self, forKey: .segmentation)
        guard let segmentation = Segmentation(word) else {
            throw ResultsFileError("`\(word)` is not a segmentation known to this version")
        }
        let diagnostics: [DiagnosticRecord] = try container.decode(orEmpty: .diagnostics)
        self.init(
            path: try container.decode(String.self, forKey: .path),
            title: try container.decode(String.self, forKey: .title),
            tags: try container.decode([String].self, forKey: .tags), segmentation: segmentation,
            dialect: try container.decode(String.self, forKey: .dialect),
            verdict: try container.decode(word: .verdict, "verdict"),
            reason: try container.decode(orEmpty: .reason),
            diagnostics: try diagnostics.map { try $0.diagnostic(sources.sources) },
            rules: try container.decode(orEmpty: .rules))
        row = try container.decodeIfPresent(Int.self, forKey: .row)
        dialectFile = try container.decodeIfPresent(String.self, forKey: .dialectFile)
        line = try container.decodeIfPresent(Int.self, forKey: .line)
        attempts = try container.decode(Int.self, forKey: .attempts)
        duration = try container.decode(Int64.self, forKey: .durationNanoseconds)
        stepsRun = try container.decode(Int.self, forKey: .stepsRun)
        isTimingBased = try container.decodeFlag(.timingBased)
        isUnreachable = try container.decodeFlag(.unreachable)
        serverOutput = try container.decodeBytes(.serverOutput)
        transcript = try container.decode([TranscriptEntry].self, forKey: .transcript)
        focus = try container.decodeIfPresent(TranscriptFocus.self, forKey: .focus)
    }

    package func encode(to encoder: any Encoder, configuration sources: SourceList) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        try container.encode(title, forKey: .title)
        try container.encode(tags, forKey: .tags)
        try container.encodeIfPresent(row, forKey: .row)
        try container.encode(segmentation.word, forKey: .segmentation)
        try container.encode(dialect, forKey: .dialect)
        try container.encodeIfPresent(dialectFile, forKey: .dialectFile)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(unlessEmpty: reason, forKey: .reason)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encode(
            unlessEmpty: diagnostics.map { DiagnosticRecord($0, sources) }, forKey: .diagnostics)
        try container.encode(unlessEmpty: rules, forKey: .rules)
        try container.encode(attempts, forKey: .attempts)
        try container.encode(duration, forKey: .durationNanoseconds)
        try container.encode(stepsRun, forKey: .stepsRun)
        try container.encode(ifTrue: isTimingBased, forKey: .timingBased)
        try container.encode(ifTrue: isUnreachable, forKey: .unreachable)
        try container.encode(bytes: serverOutput, forKey: .serverOutput)
        try container.encode(transcript, forKey: .transcript)
        try container.encodeIfPresent(focus, forKey: .focus)
    }
}
