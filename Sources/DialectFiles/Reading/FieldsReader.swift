import Diagnostics
import LineProtocol

/// Reads `fields:`.
struct FieldsReader {
    static let keys = [
        "separator", "runs", "verb", "verb-case", "source", "tags", "trailing", "key-value",
        "arguments", "max", "quotes",
    ]
    /// Maximum number of different separators, such as space and tab.
    private static let separatorsMax = 2
    private static let fieldsMax = 1_000
    private static let verbBytesMax = 16

    private let problems: Problems
    private(set) var syntax = FieldSyntax()
    /// True if arguments without an explicit position are `key=value` fields.
    private(set) var argumentsAreKeyed = false

    init(_ setting: Setting?, _ problems: Problems) {
        self.problems = problems
        guard let section = setting?.section(Self.keys) else { return }
        readSeparators(section)
        if let verb = section["verb"] { syntax.verb = self.verb(verb) }
        syntax.verbCase =
            section["verb-case"]?.word(["exact": .exact, "insensitive": .insensitive]) ?? .exact
        syntax.sourceMarker = section["source"]?.byte()
        syntax.trailingMarker = section["trailing"]?.byte()
        syntax.quotes = section["quotes"]?.flag() ?? false
        syntax.fieldsMax = section["max"]?.number(in: 1...Self.fieldsMax) ?? Self.fieldsMax
        if let tags = section["tags"] { syntax.tags = self.tags(tags) }
        if let keyValue = section["key-value"] { syntax.keyValue = self.keyValue(keyValue) }
        argumentsAreKeyed =
            section["arguments"]?.word(["by-order": false, "by-name": true]) ?? false
        checkTogether(section)
    }

    private func verb(_ setting: Setting) -> FieldSyntax.VerbPosition {
        if case .map = setting.value.kind {
            let count = setting.section(["bytes"])?.required("bytes", "add the number of bytes")
            return .bytes(count?.number(in: 1...Self.verbBytesMax) ?? 1)
        }
        return setting.word([
            "first": .first, "first-unless-key-value": .firstUnlessKeyValue, "none": .none,
        ]) ?? .first
    }

    private mutating func readSeparators(_ section: Section) {
        if let setting = section["separator"], let list = setting.list(max: Self.separatorsMax) {
            let bytes = list.compactMap { $0.byte() }
            if list.isEmpty {
                problems.error(
                    .missingKey, "`\(setting.path)` must have at least one byte",
                    at: setting.value.range)
            }
            if !bytes.isEmpty { syntax.separators = bytes }
        }
        syntax.separatorRuns = section["runs"]?.flag() ?? false
    }

    private func checkTogether(_ section: Section) {
        if let setting = section["verb"], syntax.verb == .firstUnlessKeyValue,
            syntax.keyValue == nil
        {
            problems.error(
                .conflict, "`first-unless-key-value` needs `fields.key-value`",
                at: setting.value.range)
        }
        if let setting = section["arguments"], argumentsAreKeyed, syntax.keyValue == nil {
            problems.error(
                .conflict, "`by-name` needs `fields.key-value`", at: setting.value.range)
        }
        if let setting = section["trailing"], !syntax.separatorRuns {
            problems.error(
                .conflict, "a trailing field needs `runs: true`", at: setting.key,
                help: "without it, an empty field cannot be distinguished from a trailing one")
        }
        for key in ["source", "trailing"] {
            guard let setting = section[key], let byte = setting.byte() else { continue }
            if syntax.separators.contains(byte) {
                problems.error(
                    .conflict, "`\(setting.path)` is the same as the separator",
                    at: setting.value.range)
            }
        }
    }

    private func tags(_ setting: Setting) -> FieldSyntax.TagSyntax? {
        if case .scalar = setting.value.kind {
            return setting.byte().map { FieldSyntax.TagSyntax(marker: $0) }
        }
        guard let section = setting.section(["marker", "separator", "assignment"]) else {
            return nil
        }
        return FieldSyntax.TagSyntax(
            marker: section["marker"]?.byte() ?? ASCII.at,
            separator: section["separator"]?.byte() ?? ASCII.semicolon,
            assignment: section["assignment"]?.byte() ?? ASCII.equals)
    }

    private func keyValue(_ setting: Setting) -> FieldSyntax.KeyValueSyntax? {
        if case .scalar = setting.value.kind {
            return setting.byte().map { FieldSyntax.KeyValueSyntax(assignment: $0) }
        }
        guard
            let section = setting.section(["assignment", "options", "rows", "duplicates"])
        else { return nil }
        return FieldSyntax.KeyValueSyntax(
            assignment: section["assignment"]?.byte() ?? ASCII.equals,
            optionMarker: section["options"]?.byte(), rowSeparator: section["rows"]?.byte(),
            firstWins: section["duplicates"]?.word(["first": true, "last": false]) ?? true)
    }
}
