import Diagnostics
import LineProtocol

/// Reader for a dialect's `escaping:` section. Also determines for each position which bytes can be
/// sent neither literally nor escaped.
struct EscapingReader {
    private typealias Keys = EscapingKeys

    private let problems: Problems
    private let significant: SignificantBytes
    /// Bytes that the protocol does not allow in any position.
    private var forbidden = ByteSet()
    private var escaping: Escaping

    /// Reads the rules for both directions. `client` and `server` replace the other keys.
    static func read(
        _ setting: Setting?, framing: Framing, syntax: PerDirection<FieldSyntax>,
        problems: Problems
    ) -> PerDirection<Escaping> {
        func side(_ key: Key, _ direction: Direction) -> Escaping {
            var own: Setting?
            if case .map = setting?.value.kind { own = setting?.openSection()?[key] }
            // If only this side sends JSON, the common rules are meant for the other side.
            let isOnlyJSON =
                syntax[direction].json != nil && syntax[direction.opposite].json == nil
            let common = isOnlyJSON ? nil : setting?.without([Keys.client, Keys.server])
            return EscapingReader(own ?? common, framing, syntax[direction], problems).escaping
        }
        return PerDirection(
            fromClient: side(Keys.client, .fromClient), fromServer: side(Keys.server, .fromServer))
    }

    private init(
        _ setting: Setting?, _ framing: Framing, _ syntax: FieldSyntax, _ problems: Problems
    ) {
        self.problems = problems
        significant = SignificantBytes(framing, syntax)
        escaping = Escaping(field: .none(forbidden: []))
        if syntax.json != nil {
            escaping = Escaping(field: .json)
            if let setting {
                problems.error(
                    .conflict, "`escaping` cannot be used when lines are JSON objects",
                    at: setting.key,
                    help: "remove it: values are written as JSON strings, numbers and words")
            }
            return
        }
        if syntax.resp {
            // Applies only to inline commands.
            escaping = Escaping(field: .quotes)
            if let setting {
                problems.error(
                    .conflict, "`escaping` cannot be used with RESP", at: setting.key,
                    help: "remove it: strings are sent with their length, so nothing is escaped")
            }
            return
        }
        if case .map = setting?.value.kind, let section = setting?.openSection() {
            forbidden = self.forbidden(section[Keys.forbidden])
            let exempt = section[Keys.exempt]?.list(max: Keys.lettersMax) ?? []
            escaping.exemptVerbs = exempt.compactMap { $0.text(bytesMax: 64) }
                .map { Array($0.utf8) }
        }
        let settings = settingsByPosition(setting)
        let field = settings["field"]
        let value = settings["value"] ?? field
        escaping.field = rule(field, .field)
        // Positions that the dialect's lines do not have need no rule.
        escaping.trailing = escaping.field
        escaping.tagValue = escaping.field
        escaping.value = escaping.field
        if syntax.trailingMarker != nil {
            escaping.trailing = rule(settings["trailing"] ?? field, .trailing)
        }
        if syntax.tags != nil { escaping.tagValue = rule(settings["tag"] ?? field, .tag) }
        if syntax.keyValue != nil { escaping.value = rule(value, .value) }
        escaping.key = escaping.value
        if syntax.keyValue != nil { escaping.key = rule(settings["key"] ?? value, .key) }
    }

    private func settingsByPosition(_ setting: Setting?) -> [String: Setting] {
        guard let setting else { return [:] }
        guard case .map(let entries) = setting.value.kind,
            entries.contains(where: { Keys.positionNames.contains($0.name) })
        else { return ["field": setting] }
        guard let section = setting.section(Keys.positionsTable) else { return [:] }
        var result: [String: Setting] = [:]
        for key in Keys.positionNames { result[key] = section[key] }
        return result
    }

    private func forbidden(_ setting: Setting?) -> ByteSet {
        guard let list = setting?.list(max: Keys.lettersMax) else { return [] }
        return ByteSet(list.compactMap { $0.byte() })
    }

    private func rule(_ setting: Setting?, _ position: SignificantBytes.Position) -> EscapeRule {
        let needed = significant.bytes(position).union(forbidden)
        guard let setting else { return .none(forbidden: needed) }
        if case .map = setting.value.kind { return map(setting, position, needed) }
        let isQuotes = Keys.isQuotes.read(setting) ?? false
        if isQuotes, !significant.hasQuotes {
            problems.error(
                .conflict, "escaping with quotes needs `fields.quotes: true`",
                at: setting.value.range)
        }
        return isQuotes ? .quotes : .none(forbidden: needed)
    }

    private func map(
        _ setting: Setting, _ position: SignificantBytes.Position, _ common: ByteSet
    ) -> EscapeRule {
        guard let section = setting.section(Keys.ruleTable) else {
            return .none(forbidden: common)
        }
        let needed = common.union(forbidden(section[Keys.forbidden]))
        let kinds = section.present([Keys.escape.name, Keys.percent.name, Keys.doubling.key.name])
        if kinds.count > 1, let second = section[kinds[1]] {
            problems.error(
                .conflict, "`\(kinds[0])` and `\(kinds[1])` cannot be combined",
                at: second.key, help: "keep one of them")
            return .none(forbidden: needed)
        }
        switch kinds.first {
        case Keys.escape.name: return table(section, position, needed)
        case Keys.percent.name: return percent(section, position, needed)
        case Keys.doubling.key.name:
            guard let byte = section.value(Keys.doubling) else { break }
            var rest = needed
            if significant.separators.contains(byte) { rest.remove(byte) }
            return .doubling(byte, forbidden: rest)
        default:
            if let letters = section[Keys.letters] {
                problems.error(
                    .missingKey, "`letters` needs an `escape` byte", at: letters.key,
                    help: "add `escape: '\\'`, or whichever byte precedes the letters")
            }
        }
        return .none(forbidden: needed)
    }

    private func percent(
        _ section: Section, _ position: SignificantBytes.Position, _ needed: ByteSet
    ) -> EscapeRule {
        let more = section[Keys.percent]?.list(max: Keys.lettersMax)?.compactMap { $0.byte() } ?? []
        let clash = significant.separators.first {
            $0 == ASCII.percent || ASCII.hexValue($0) != nil
        }
        if let clash, let setting = section[Keys.percent] {
            problems.error(
                .escapeClash,
                "the separator \(ByteName.shown(clash)) can occur inside `%HH`", at: setting.key)
        }
        return .percent(encoded: needed.union(ByteSet(more)))
    }

    private func table(
        _ section: Section, _ position: SignificantBytes.Position, _ needed: ByteSet
    ) -> EscapeRule {
        guard let setting = section[Keys.escape], let escape = setting.byte() else {
            return .none(forbidden: needed)
        }
        if let meaning = significant.meaning(of: escape, position) {
            problems.error(
                .escapeClash, "the escape byte \(ByteName.shown(escape)) is also \(meaning)",
                at: setting.value.range, help: "choose a byte without another meaning")
        }
        guard
            let list = section.required(
                Keys.letters.name, "write `letters: {…}` with a byte for each letter"),
            let letters = list.openSection()
        else { return .none(forbidden: needed) }
        let meaning = self.meaning(letters, position)
        checkSpellings(escape, meaning, setting)
        let table = try? EscapeTable(
            escape: escape, meaning: meaning.mapValues(\.byte),
            unknown: section.value(Keys.unknown),
            lone: section.value(Keys.lone),
            forbidden: needed.subtracting(ByteSet(meaning.values.map(\.byte))))
        return table.map { .table($0) } ?? .none(forbidden: needed)
    }

    private typealias Letters = [UInt8: (byte: UInt8, setting: Setting)]

    private func meaning(_ section: Section, _ position: SignificantBytes.Position) -> Letters {
        var meaning: Letters = [:]
        for setting in section.settings {
            guard let letter = ByteName.byte(setting.name) else {
                problems.error(
                    .badByte, "the letter `\(shortened(setting.name))` must be a single byte",
                    at: setting.key, help: ByteName.help)
                continue
            }
            guard let byte = setting.byte() else { continue }
            if let reason = significant.reasonAgainst(letter: letter, position) {
                problems.error(
                    .escapeClash,
                    "\(ByteName.shown(letter)) cannot be a letter: \(reason)", at: setting.key)
            }
            meaning[letter] = (byte, setting)
        }
        return meaning
    }

    private func checkSpellings(_ escape: UInt8, _ meaning: Letters, _ setting: Setting) {
        if !meaning.values.contains(where: { $0.byte == escape }) {
            let letter = ByteName.yaml(escape)
            problems.error(
                .escapeNoSpelling,
                "the escape byte \(ByteName.shown(escape)) itself cannot be escaped",
                at: setting.value.range, help: "add to `letters`: \(letter): \(letter)")
        }
        var first: [UInt8: Setting] = [:]
        let ordered = meaning.values.sorted { $0.setting.key.start < $1.setting.key.start }
        for (byte, setting) in ordered {
            if let other = first[byte] {
                problems.error(
                    .escapeTwoLetters,
                    "two letters stand for \(ByteName.shown(byte))",
                    at: setting.key, help: "keep one of them", first: other.key)
            }
            first[byte] = setting
        }
    }
}

extension Setting {
    /// Returns a map without the given keys; nil if it has no other keys. Returns any other value
    /// unchanged.
    fileprivate func without(_ keys: [Key]) -> Setting? {
        guard case .map(let entries) = value.kind else { return self }
        let rest = entries.filter { entry in !keys.contains { $0.name == entry.name } }
        if rest.isEmpty, !entries.isEmpty { return nil }
        var setting = self
        setting.value.kind = .map(rest)
        return setting
    }
}
