import Diagnostics
import LineProtocol

/// Reads `clauses:` and `known-failures:`.
struct ClauseReader {
    private static let clausesMax = 500
    private static let keys = ["document", "section", "quote", "level", "for"]

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
        guard let section = setting.section(Self.keys),
            let document = section.required(
                "document", "add the cited document, such as `RFC 2812`")?.text()
        else { return nil }
        let level = section["level"]?.word([
            "must": RequirementLevel.must, "should": .should, "may": .may, "policy": .policy,
            "robustness": .robustness,
        ])
        let rules = section["for"]?.list(max: 32)?.compactMap(rule) ?? []
        return Clause(
            id: setting.name, document: document,
            section: section["section"]?.rawText() ?? "",
            quote: section["quote"]?.text(bytesMax: 600) ?? "", level: level, rules: rules)
    }

    /// Returns the path of an existing setting.
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
            guard let section = item.section(["check", "versions", "until", "reason"]),
                let check = section.required("check", "add the id of a check, such as `frame.nul`"),
                let reason = section.required("reason", "explain why it fails"),
                let checkText = check.text(bytesMax: 128), let reasonText = reason.text()
            else { return nil }
            return KnownFailure(
                check: checkText, versions: section["versions"]?.rawText(),
                until: section["until"].flatMap(day), reason: reasonText)
        }
    }

    private func day(_ setting: Setting) -> String? {
        guard let text = setting.rawText() else { return nil }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        if text.utf8.count == 10, parts.count == 3, (1...12).contains(parts[1]),
            (1...31).contains(parts[2])
        {
            return text
        }
        problems.error(
            .wrongType, "`\(shortened(text))` is not a date", at: setting.value.range,
            help: "write year, month and day: `2027-06-30`")
        return nil
    }
}

/// The settings that a clause can refer to.
enum RulePaths {
    static let all: [String] =
        FramingReader.keys.map { "framing.\($0)" }
        + ["line", "tags", "payload", "counts-terminator"].map { "framing.limits.\($0)" }
        + FieldsReader.keys.map { "fields.\($0)" }
        + EscapingReader.positionKeys.map { "escaping.\($0)" } + ["escaping", "escaping.unknown"]
        + ["escaping.lone"]
        + ToleranceReader.keys.map { "tolerance.\($0)" }
        + PolicyCatalogue.policies.map { "policies.\($0.name)" }
        + StandardBehaviour.names.map { "behaviours.\($0)" }
        + TimingReader.keys.map { "timing.\($0)" } + ["rejects", "ignores"]

    static func contains(_ path: String) -> Bool { all.contains(path) }
}

/// Reads `timing:`.
enum TimingReader {
    static let keys = ["keepalive", "expires-after", "login-within", "throttle-max"]

    static func timing(_ setting: Setting?) -> Timing {
        guard let section = setting?.section(keys) else { return Timing() }
        return Timing(
            keepaliveInterval: section["keepalive"]?.duration(),
            expiresAfter: section["expires-after"]?.duration(),
            loginWithin: section["login-within"]?.duration(),
            throttleMax: section["throttle-max"]?.duration())
    }
}
