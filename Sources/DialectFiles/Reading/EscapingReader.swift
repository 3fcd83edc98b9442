import Diagnostics
import LineProtocol

/// Reads `escaping:` and determines, for each position, the bytes that can be neither sent nor
/// escaped.
struct EscapingReader {
    static let ruleKeys = ["escape", "letters", "unknown", "lone", "percent", "doubling"]
    static let positionKeys = ["field", "trailing", "tag", "key", "value"]
    /// Keys allowed next to the rules: bytes and commands that are never escaped.
    static let commonKeys = ["forbidden", "exempt"]
    private static let lettersMax = 256

    private let problems: Problems
    private let significant: SignificantBytes
    /// Bytes that the protocol forbids everywhere.
    private var forbidden = ByteSet()
    private(set) var escaping: Escaping

    init(_ setting: Setting?, _ framing: Framing, _ syntax: FieldSyntax, _ problems: Problems) {
        self.problems = problems
        significant = SignificantBytes(framing, syntax)
        escaping = Escaping(field: .none(forbidden: []))
        if case .map = setting?.value.kind, let section = setting?.openSection() {
            forbidden = self.forbidden(section["forbidden"])
            let exempt = section["exempt"]?.list(max: Self.lettersMax) ?? []
            escaping.exemptVerbs = exempt.compactMap { $0.text(bytesMax: 64) }
                .map { Array($0.utf8) }
        }
        let settings = settingsByPosition(setting)
        let field = settings["field"]
        let value = settings["value"] ?? field
        escaping.field = rule(field, .field)
        // Positions that the dialect's lines do not have need no escaping.
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

    /// Returns the setting for each position.
    private func settingsByPosition(_ setting: Setting?) -> [String: Setting] {
        guard let setting else { return [:] }
        guard case .map(let entries) = setting.value.kind,
            entries.contains(where: { Self.positionKeys.contains($0.name) })
        else { return ["field": setting] }
        guard let section = setting.section(Self.positionKeys + Self.commonKeys) else { return [:] }
        var result: [String: Setting] = [:]
        for key in Self.positionKeys { result[key] = section[key] }
        return result
    }

    private func forbidden(_ setting: Setting?) -> ByteSet {
        guard let list = setting?.list(max: Self.lettersMax) else { return [] }
        return ByteSet(list.compactMap { $0.byte() })
    }

    private func rule(_ setting: Setting?, _ position: SignificantBytes.Position) -> EscapeRule {
        let needed = significant.bytes(position).union(forbidden)
        guard let setting else { return .none(forbidden: needed) }
        if case .map = setting.value.kind { return map(setting, position, needed) }
        let isQuotes = setting.word(["none": false, "quotes": true]) ?? false
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
        guard let section = setting.section(Self.ruleKeys + Self.commonKeys) else {
            return .none(forbidden: common)
        }
        let needed = common.union(forbidden(section["forbidden"]))
        let kinds = section.present(["escape", "percent", "doubling"])
        if kinds.count > 1, let second = section[kinds[1]] {
            problems.error(
                .conflict, "`\(kinds[0])` and `\(kinds[1])` cannot be combined",
                at: second.key, help: "keep one of them")
            return .none(forbidden: needed)
        }
        switch kinds.first {
        case "escape": return table(section, position, needed)
        case "percent": return percent(section, position, needed)
        case "doubling":
            guard let byte = section["doubling"]?.byte() else { break }
            var rest = needed
            if significant.separators.contains(byte) { rest.remove(byte) }
            return .doubling(byte, forbidden: rest)
        default:
            if let letters = section["letters"] {
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
        let more = section["percent"]?.list(max: Self.lettersMax)?.compactMap { $0.byte() } ?? []
        let clash = significant.separators.first {
            $0 == ASCII.percent || ASCII.hexValue($0) != nil
        }
        if let clash, let setting = section["percent"] {
            problems.error(
                .escapeClash,
                "the separator \(ByteName.shown(clash)) can occur inside `%HH`", at: setting.key)
        }
        return .percent(encoded: needed.union(ByteSet(more)))
    }

    private func table(
        _ section: Section, _ position: SignificantBytes.Position, _ needed: ByteSet
    ) -> EscapeRule {
        guard let setting = section["escape"], let escape = setting.byte() else {
            return .none(forbidden: needed)
        }
        if let meaning = significant.meaning(of: escape, position) {
            problems.error(
                .escapeClash, "the escape byte \(ByteName.shown(escape)) is also \(meaning)",
                at: setting.value.range, help: "choose a byte without another meaning")
        }
        guard
            let list = section.required(
                "letters", "write `letters: {…}` with a byte for each letter"),
            let letters = list.openSection()
        else { return .none(forbidden: needed) }
        let meaning = self.meaning(letters, position)
        checkSpellings(escape, meaning, setting)
        let unknown =
            section["unknown"]?.word(
                ["letter": EscapeTable.Unknown.letter, "verbatim": .verbatim, "error": .error],
                open: .letter) ?? .letter
        let lone =
            section["lone"]?.word(
                ["drop": EscapeTable.Lone.drop, "verbatim": .verbatim, "error": .error],
                open: .drop) ?? .drop
        let table = try? EscapeTable(
            escape: escape, meaning: meaning.mapValues(\.byte), unknown: unknown, lone: lone,
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
