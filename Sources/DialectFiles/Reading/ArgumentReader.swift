import Diagnostics
import LineProtocol

/// An argument as its command needs it, with its place in the file.
struct ReadArgument {
    var signature: ArgumentSignature
    /// A block ended by a dot instead of a counted payload.
    var isBlock = false
    var setting: Setting
}

/// Reads one argument: compact (`chat: int`) or as a map (`name`, `type`, …).
struct ArgumentReader {
    private static let mapKeys = [
        "name", "type", "optional", "variadic", "default", "in", "secret",
    ]
    private static let placeNames = [
        "field", "key", "option", "source", "tag", "payload", "payload-length", "block",
        "correlation", "verb",
    ]

    let syntax: FieldSyntax
    let argumentsAreKeyed: Bool
    let problems: Problems

    func argument(_ item: Setting) -> ReadArgument? {
        guard case .map(let entries) = item.value.kind else {
            problems.error(
                .badArgument, "an argument is a name and a type, found \(item.value.description)",
                at: item.value.range, help: "write `name: text`")
            return nil
        }
        if entries.count == 1 { return compact(item.entry(entries[0])) }
        guard let section = item.section(Self.mapKeys),
            let name = section.required("name", "write `name: …, type: …`"),
            let type = section.required("type", "types: \(listed(TypeReader.names))"),
            let nameText = name.identifier("an argument's name"), let typeText = type.text()
        else { return nil }
        let words = ArgumentWords(typeText)
        guard let read = self.type(words, type) else { return nil }
        var argument = ArgumentSignature(nameText, read)
        argument.isSecret = section["secret"]?.flag() ?? words.isSecret
        if section["optional"]?.flag() ?? words.isOptional { argument.presence = .optional }
        if section["variadic"]?.flag() ?? words.isVariadic { argument.presence = .variadic }
        if let setting = section["default"], let text = setting.rawText() {
            argument.defaultValue = value(text, read, setting, 0..<text.utf8.count)
        }
        let place = section["in"].flatMap { setting in
            setting.text().map { (ArgumentWords("text in " + $0).place, setting) }
        }
        return placed(argument, place?.0 ?? [], place?.1 ?? type, item, isStated: place != nil)
    }

    private func compact(_ setting: Setting) -> ReadArgument? {
        guard isIdentifier(setting.name) else {
            problems.error(
                .badName, "`\(shortened(setting.name))` is not an argument's name",
                at: setting.key,
                help: "it starts with a letter; letters, digits, `_` and `-` may follow")
            return nil
        }
        guard let text = setting.text() else { return nil }
        let words = ArgumentWords(text)
        guard let type = type(words, setting) else { return nil }
        var argument = ArgumentSignature(setting.name, type)
        argument.isSecret = words.isSecret
        if words.isOptional { argument.presence = .optional }
        if words.isVariadic { argument.presence = .variadic }
        if let word = words.defaultValue {
            argument.defaultValue = value(unquoted(word.text), type, setting, word.bytes)
        }
        if words.hasNoDefault {
            problems.error(
                .badDefault, "nothing stands after `=`", at: setting.value.range,
                help: "an empty text is `= \"\"`")
        }
        if let word = words.strayWord {
            problems.error(
                .badArgument, "`\(shortened(word.text))` after the default",
                at: setting.value.range(of: word.bytes, in: problems.source),
                help: "a default with blanks stands in double quotes")
            return nil
        }
        return placed(
            argument, words.place, setting, setting,
            isStated: words.isPlaceMissing || !words.place.isEmpty)
    }

    private func type(_ words: ArgumentWords, _ setting: Setting) -> ArgumentType? {
        TypeReader(setting: setting).type(words.type[...])
    }

    private func unquoted(_ text: String) -> String {
        guard text.utf8.first == ASCII.quote else { return text }
        var bytes: [UInt8] = []
        let inner = Array(text.utf8.dropFirst().dropLast())
        do throws(EscapeError) {
            try EscapeRule.quotes.decode(inner.span, 0..<inner.count, into: &bytes)
        } catch {
            return text
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func value(
        _ text: String, _ type: ArgumentType, _ setting: Setting, _ bytes: Range<Int>
    ) -> ArgumentValue? {
        if case .bool = type {
            if text == "true" { return .bool(true) }
            if text == "false" { return .bool(false) }
        } else if let value = ValueConversion.value(Array(text.utf8), type) {
            return value
        }
        var help: String?
        if case .choice(let words) = type { help = "words: \(listed(words))" }
        if case .bool = type { help = "write `true` or `false`" }
        problems.error(
            .badDefault, "the default `\(shortened(text))` is not of type \(type.name)",
            at: setting.value.range(of: bytes, in: problems.source), help: help)
        return nil
    }

    // MARK: Places

    private func placed(
        _ argument: ArgumentSignature, _ words: [ArgumentWords.Word], _ setting: Setting,
        _ item: Setting, isStated: Bool
    ) -> ReadArgument? {
        var read = ReadArgument(signature: argument, setting: item)
        let named = words.dropFirst().first?.text ?? argument.name
        guard isStated else {
            if argumentsAreKeyed { read.signature.place = .key(Array(named.utf8)) }
            return read
        }
        let range = words.first.map { setting.value.range(of: $0.bytes, in: problems.source) }
        guard let word = words.first?.text, words.count <= 2, Self.placeNames.contains(word) else {
            let text = words.map(\.text).joined(separator: " ")
            let meant = didYouMean(words.first?.text ?? "", among: Self.placeNames)
            problems.error(
                .badPlace, "`in \(shortened(text))` is not a place", at: range ?? item.value.range,
                help: meant.map { "did you mean `in \($0)`?" }
                    ?? "places: \(listed(Self.placeNames.map { "in \($0)" }))")
            return nil
        }
        let bytes = Array(named.utf8)
        switch word {
        case "key": read.signature.place = .key(bytes)
        case "option": read.signature.place = .option(bytes)
        case "tag": read.signature.place = .tag(bytes)
        case "source": read.signature.place = .source
        case "payload", "block": read.signature.place = .payload
        case "payload-length": read.signature.place = .payloadLength
        case "correlation": read.signature.place = .correlation
        case "verb": read.signature.place = .verb
        default: break
        }
        read.isBlock = word == "block"
        check(read.signature, word, range ?? item.value.range)
        return read
    }

    /// Refuses places that the dialect's lines do not have, and types that do not go there.
    private func check(_ argument: ArgumentSignature, _ word: String, _ range: SourceRange) {
        var missing: String?
        var wanted: ArgumentType?
        switch argument.place {
        case .key where syntax.keyValue == nil: missing = "fields.key-value"
        case .option where syntax.keyValue?.optionMarker == nil:
            missing = "fields.key-value.options"
        case .source where syntax.sourceMarker == nil: missing = "fields.source"
        case .tag where syntax.tags == nil: missing = "fields.tags"
        case .payloadLength: wanted = .int
        case .verb: wanted = .text
        default: break
        }
        if case .option = argument.place, argument.type.name != "bool" { wanted = .bool(.digits) }
        if let missing {
            problems.error(
                .badPlace, "`in \(word)` needs `\(missing)`", at: range,
                help: "say in the dialect how such a place is marked")
        } else if let wanted, argument.type.name != wanted.name {
            problems.error(
                .badType, "an argument `in \(word)` is of type \(wanted.name)", at: range,
                help: argument.place == .verb ? "a number would lose its leading zeros" : nil)
        }
        if argument.presence == .variadic, argument.place != .field {
            problems.error(.badPlace, "`...` takes fields, and `in \(word)` is none", at: range)
        }
    }
}

extension Setting {
    /// The text of a scalar whatever YAML makes of it.
    func rawText() -> String? {
        if case .scalar(let text, _) = value.kind { return text }
        return text()
    }
}
