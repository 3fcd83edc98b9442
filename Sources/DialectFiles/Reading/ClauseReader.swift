import Diagnostics
import LineProtocol

/// Reader for a dialect's `clauses:` and `known-failures:` sections.
struct ClauseReader {
    static let clausesMax = 500
    /// Maximum number of settings that one clause can define.
    static let rulesMax = 32

    let problems: Problems

    func clauses(_ setting: Setting?) -> [Clause] {
        guard let section = setting?.openSection() else { return [] }
        guard section.settings.count <= Self.clausesMax else {
            problems.error(.tooMany, "more than \(Self.clausesMax) clauses", at: section.range)
            return []
        }
        return section.settings.compactMap(clause)
    }

    private func clause(_ setting: Setting) -> Clause? {
        guard let section = setting.section(ClauseKeys.table),
            let document = section.required(ClauseKeys.document)
        else { return nil }
        let level = section.value(ClauseKeys.level)
        let rules = section[ClauseKeys.rules]?.list(max: Self.rulesMax)?.compactMap(rule) ?? []
        return Clause(
            id: setting.name, document: document,
            section: section.value(ClauseKeys.section),
            quote: section.value(ClauseKeys.quote), level: level, rules: rules)
    }

    /// Reads the path of a setting. Reports an error and returns nil if there is no such setting.
    private func rule(_ setting: Setting) -> String? {
        guard let text = setting.text(bytesMax: 128) else { return nil }
        if RulePaths.contains(text) { return text }
        let suggestion = didYouMean(text, among: RulePaths.all).map { "did you mean `\($0)`?" }
        problems.error(
            .unknownRule, "`\(shortened(text))` is not a setting", at: setting.value.range,
            help: suggestion ?? "write its path, such as `framing.accept` or `policies.nul`")
        return nil
    }

    func knownFailures(_ setting: Setting?) -> [KnownFailure] {
        guard let list = setting?.list(max: Self.clausesMax) else { return [] }
        return list.compactMap { item in
            typealias Keys = KnownFailureKeys
            guard let section = item.section(Keys.table),
                let check = section.required(Keys.check),
                let reason = section.required(Keys.reason)
            else { return nil }
            return KnownFailure(
                check: check, versions: section.value(Keys.versions),
                until: section[Keys.until].flatMap(day), reason: reason)
        }
    }

    private func day(_ setting: Setting) -> String? {
        guard let text = setting.rawText() else { return nil }
        if CalendarDate(text) != nil { return text }
        problems.error(
            .wrongType, "`\(shortened(text))` is not a date", at: setting.value.range,
            help: "write year, month and day: `2027-06-30`")
        return nil
    }
}

/// Paths of the settings that a clause can define.
enum RulePaths {
    static let all: [String] =
        FramingKeys.table.names.map { "framing.\($0)" }
        + LimitKeys.table.names.map { "framing.limits.\($0)" }
        + FieldsKeys.table.names.map { "fields.\($0)" }
        + EscapingKeys.positionNames.map { "escaping.\($0)" } + ["escaping", "escaping.unknown"]
        + ["escaping.lone"]
        + ToleranceKeys.table.names.map { "tolerance.\($0)" }
        + PolicyCatalogue.policies.map { "policies.\($0.name)" }
        + StandardBehaviour.names.map { "behaviours.\($0)" }
        + TimingKeys.table.names.map { "timing.\($0)" } + ["rejects", "ignores"]

    static func contains(_ path: String) -> Bool { all.contains(path) }
}

/// Reader for a dialect's `timing:` section.
enum TimingReader {
    static func timing(_ setting: Setting?) -> Timing {
        guard let section = setting?.section(TimingKeys.table) else { return Timing() }
        return Timing(
            keepaliveInterval: section.value(TimingKeys.keepalive),
            expiresAfter: section.value(TimingKeys.expiresAfter),
            loginWithin: section.value(TimingKeys.loginWithin),
            throttleMax: section.value(TimingKeys.throttleMax))
    }
}
