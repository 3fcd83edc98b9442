import Diagnostics
import LineProtocol

/// Reader for a dialect's `fields:` section.
struct FieldsReader {
    private typealias Keys = FieldsKeys

    private(set) var syntax = PerDirection(FieldSyntax())
    /// True if an argument without a position is a `key=value` field.
    private(set) var argumentsAreKeyed = PerDirection(false)

    init(_ setting: Setting?, _ problems: Problems) {
        guard let section = setting?.section(Keys.table) else { return }
        for (key, direction) in [(Keys.client, Direction.fromClient), (Keys.server, .fromServer)] {
            let own = section[key]?.section(Keys.sideTable)
            let side = FieldSideReader(LayeredSection(top: own, base: section), problems)
            syntax[direction] = side.syntax
            argumentsAreKeyed[direction] = side.argumentsAreKeyed
        }
    }
}

/// Reader for the settings in `fields:` that apply to one direction.
private struct FieldSideReader {
    private typealias Keys = FieldsKeys

    private let problems: Problems
    private(set) var syntax = FieldSyntax()
    private(set) var argumentsAreKeyed = false

    init(_ section: LayeredSection, _ problems: Problems) {
        self.problems = problems
        if let json = section[Keys.json] {
            readJSON(json, section)
            return
        }
        if section.value(Keys.resp) {
            readRESP(section)
            return
        }
        readSeparators(section)
        if let verb = section[Keys.verb] { syntax.verb = self.verb(verb) }
        syntax.verbCase = section.value(Keys.verbCase)
        syntax.sourceMarker = section.value(Keys.source)
        syntax.trailingMarker = section.value(Keys.trailing)
        syntax.quotes = section.value(Keys.quotes)
        syntax.fieldsMax = section.value(Keys.max)
        if let tags = section[Keys.tags] { syntax.tags = self.tags(tags) }
        if let keyValue = section[Keys.keyValue] { syntax.keyValue = self.keyValue(keyValue) }
        argumentsAreKeyed = section.value(Keys.argumentsAreKeyed)
        checkTogether(section)
    }

    /// Reads `json:`. Settings that describe lines made of fields are errors.
    private mutating func readJSON(_ setting: Setting, _ section: LayeredSection) {
        for other in section.settings(beside: setting) where !Keys.withJSON.contains(other.name) {
            problems.error(
                .conflict, "`\(other.path)` cannot be used when lines are JSON objects",
                at: other.key,
                help: "remove it, or remove `\(setting.path)`; if only one side sends JSON, put "
                    + "`json` under `client` or `server`")
        }
        syntax.verbCase = section.value(Keys.verbCase)
        syntax.json = json(setting)
        argumentsAreKeyed = true
    }

    /// Reads the RESP settings. Settings for other line formats are errors.
    private mutating func readRESP(_ section: LayeredSection) {
        for other in section.settings(beside: section[Keys.resp])
        where !Keys.withRESP.contains(other.name) {
            problems.error(
                .conflict, "`\(other.path)` cannot be used with RESP", at: other.key,
                help: "remove it, or remove `fields.resp`")
        }
        syntax = .resp
        syntax.verbCase = section.value(Keys.verbCase)
    }

    private func json(_ setting: Setting) -> JSONSyntax {
        guard case .map = setting.value.kind else {
            return JSONSyntax(form: .key(path(setting) ?? ["type"]))
        }
        guard let section = setting.section(JSONKeys.table) else { return JSONSyntax() }
        var form = JSONSyntax.Form.key(["type"])
        switch section.value(JSONKeys.form) {
        case .key: form = .key(section[JSONKeys.command].flatMap(path) ?? ["type"])
        case .onlyKey: form = .onlyKey
        case .rpc: form = .rpc
        }
        if let command = section[JSONKeys.command], section.value(JSONKeys.form) != .key {
            problems.error(
                .conflict, "`\(command.path)` needs `form: by-key`", at: command.key,
                help: "remove one of `command` and `form`")
        }
        return JSONSyntax(form: form, firstWins: section.value(JSONKeys.firstWins))
    }

    private func path(_ setting: Setting) -> JSONPath? {
        guard let text = setting.text(bytesMax: Setting.nameBytesMax) else { return nil }
        if let path = JSONPath(Array(text.utf8)), !path.steps.isEmpty { return path }
        problems.error(
            .badName, "`\(shortened(text))` is not a valid path", at: setting.value.range,
            help: "write the path as keys separated by dots: `type`, `header.type`")
        return nil
    }

    private func verb(_ setting: Setting) -> FieldSyntax.VerbPosition {
        if case .map = setting.value.kind {
            return .bytes(setting.section(Keys.verbTable)?.required(Keys.verbBytes) ?? 1)
        }
        return Keys.verbWords.read(setting) ?? .first
    }

    private mutating func readSeparators(_ section: LayeredSection) {
        if let setting = section[Keys.separator],
            let list = setting.list(max: Keys.separatorsMax)
        {
            let bytes = list.compactMap { $0.byte() }
            if list.isEmpty {
                problems.error(
                    .badByte, "`\(setting.path)` must have at least one byte",
                    at: setting.value.range)
            }
            if !bytes.isEmpty { syntax.separators = bytes }
        }
        syntax.separatorRuns = section.value(Keys.runs)
    }

    private func checkTogether(_ section: LayeredSection) {
        if let setting = section[Keys.verb], syntax.verb == .firstUnlessKeyValue,
            syntax.keyValue == nil
        {
            problems.error(
                .conflict, "`first-unless-key-value` needs `fields.key-value`",
                at: setting.value.range)
        }
        if let setting = section[Keys.argumentsAreKeyed], argumentsAreKeyed, syntax.keyValue == nil
        {
            problems.error(
                .conflict, "`by-name` needs `fields.key-value`", at: setting.value.range)
        }
        if let setting = section[Keys.trailing], !syntax.separatorRuns {
            problems.error(
                .conflict, "a trailing field needs `runs: true`", at: setting.key,
                help: "without it, an empty field cannot be distinguished from a trailing one")
        }
        for key in [Keys.source, Keys.trailing] {
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
        guard let section = setting.section(TagKeys.table) else {
            return nil
        }
        return FieldSyntax.TagSyntax(
            marker: section.value(TagKeys.marker),
            separator: section.value(TagKeys.separator),
            assignment: section.value(TagKeys.assignment))
    }

    private func keyValue(_ setting: Setting) -> FieldSyntax.KeyValueSyntax? {
        if case .scalar = setting.value.kind {
            return setting.byte().map { FieldSyntax.KeyValueSyntax(assignment: $0) }
        }
        guard let section = setting.section(KeyValueKeys.table) else { return nil }
        return FieldSyntax.KeyValueSyntax(
            assignment: section.value(KeyValueKeys.assignment),
            optionMarker: section.value(KeyValueKeys.options),
            rowSeparator: section.value(KeyValueKeys.rows),
            firstWins: section.value(KeyValueKeys.firstWins))
    }
}
