import Diagnostics
import LineProtocol

/// An argument with its position in the file.
struct ParsedArgument {
    var signature: ArgumentSignature
    /// True if the argument is a block that ends with a dot. False for any other argument,
    /// including a counted payload.
    var isBlock = false
    var setting: Setting
}

/// Reader for an argument in the compact form (`chat: int`) or as a map (`name`, `type`, …).
struct ArgumentReader {
    private typealias Keys = ArgumentKeys

    private static let positionNames = [
        "field", "key", "option", "source", "tag", "payload", "payload-length", "block",
        "correlation", "verb",
    ]

    let syntax: FieldSyntax
    let argumentsAreKeyed: Bool
    let problems: Problems

    func argument(_ item: Setting) -> ParsedArgument? {
        guard case .map(let entries) = item.value.kind else {
            problems.error(
                .badArgument,
                "expected an argument name and type, found \(item.value.description)",
                at: item.value.range, help: "write `name: text`")
            return nil
        }
        if entries.count == 1 { return compact(item.entry(entries[0])) }
        guard let section = item.section(Keys.table),
            section.required(Keys.name.key) != nil, let type = section.required(Keys.type),
            let nameText = section.value(Keys.name), let typeText = type.text()
        else { return nil }
        let words = ArgumentWords(typeText)
        guard let read = self.type(words, type) else { return nil }
        var argument = ArgumentSignature(nameText, read)
        argument.isSecret = section.value(Keys.isSecret) ?? words.isSecret
        argument.secretCondition = words.secretCondition
        if section.value(Keys.isOptional) ?? words.isOptional { argument.presence = .optional }
        if section.value(Keys.isVariadic) ?? words.isVariadic { argument.presence = .variadic }
        if let setting = section[Keys.defaultValue], let text = setting.rawText() {
            argument.defaultValue = value(text, read, setting, 0..<text.utf8.count)
        }
        let position = section[Keys.position].flatMap { setting in
            setting.text().map { (ArgumentWords("text in " + $0).position, setting) }
        }
        return positioned(
            argument, position?.0 ?? [], position?.1 ?? type, item, isExplicit: position != nil)
    }

    private func compact(_ setting: Setting) -> ParsedArgument? {
        guard isIdentifier(setting.name) else {
            problems.error(
                .badName, "`\(shortened(setting.name))` is not a valid argument name",
                at: setting.key,
                help: "use letters, digits, `_` and `-`, starting with a letter")
            return nil
        }
        guard let text = setting.text() else { return nil }
        let words = ArgumentWords(text)
        guard let type = type(words, setting) else { return nil }
        var argument = ArgumentSignature(setting.name, type)
        argument.isSecret = words.isSecret
        argument.secretCondition = words.secretCondition
        if words.isOptional { argument.presence = .optional }
        if words.isVariadic { argument.presence = .variadic }
        if let word = words.defaultValue {
            argument.defaultValue = value(unquoted(word.text), type, setting, word.bytes)
        }
        if words.hasNoDefault {
            problems.error(
                .badDefault, "missing default value after `=`", at: setting.value.range,
                help: "for an empty string, write `= \"\"`")
        }
        if let word = words.strayWord {
            problems.error(
                .badArgument, "unexpected `\(shortened(word.text))` after the default",
                at: setting.value.range(of: word.bytes, in: problems.source),
                help: "put a default that contains spaces in double quotes")
            return nil
        }
        return positioned(
            argument, words.position, setting, setting,
            isExplicit: words.isPositionMissing || !words.position.isEmpty)
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
        if case .choice(let words) = type { help = "write \(listed(words))" }
        if case .bool = type { help = "write `true` or `false`" }
        problems.error(
            .badDefault, "the default `\(shortened(text))` is not of type \(type.name)",
            at: setting.value.range(of: bytes, in: problems.source), help: help)
        return nil
    }

    // MARK: Positions

    private func positioned(
        _ argument: ArgumentSignature, _ words: [ArgumentWords.Word], _ setting: Setting,
        _ item: Setting, isExplicit: Bool
    ) -> ParsedArgument? {
        var read = ParsedArgument(signature: argument, setting: item)
        let named = words.dropFirst().first?.text ?? argument.name
        guard isExplicit else {
            if argumentsAreKeyed { read.signature.position = .key(Array(named.utf8)) }
            if syntax.json != nil { checkMember(&read.signature, "", item.value.range) }
            return read
        }
        let range = words.first.map { setting.value.range(of: $0.bytes, in: problems.source) }
        guard let word = words.first?.text, words.count <= 2, Self.positionNames.contains(word)
        else {
            let text = words.map(\.text).joined(separator: " ")
            let suggestion = didYouMean(words.first?.text ?? "", among: Self.positionNames)
            problems.error(
                .badPosition, "`in \(shortened(text))` is not a valid position",
                at: range ?? item.value.range,
                help: suggestion.map { "did you mean `in \($0)`?" }
                    ?? "positions: \(listed(Self.positionNames.map { "in \($0)" }))")
            return nil
        }
        let bytes = Array(named.utf8)
        switch word {
        case "key": read.signature.position = .key(bytes)
        case "option": read.signature.position = .option(bytes)
        case "tag": read.signature.position = .tag(bytes)
        case "source": read.signature.position = .source
        case "payload", "block": read.signature.position = .payload
        case "payload-length": read.signature.position = .payloadLength
        case "correlation": read.signature.position = .correlation
        case "verb": read.signature.position = .verb
        default: break
        }
        read.isBlock = word == "block"
        if syntax.json != nil {
            checkMember(&read.signature, word, range ?? item.value.range)
            return read
        }
        check(read.signature, word, range ?? item.value.range)
        return read
    }

    /// Reports a position that JSON objects do not have, or a type that JSON cannot represent.
    ///
    /// - Parameter word: the word after `in`; empty if the position is not given.
    private func checkMember(
        _ argument: inout ArgumentSignature, _ word: String, _ range: SourceRange
    ) {
        switch argument.position {
        case .key(let key):
            if JSONPath(key) == nil {
                problems.error(
                    .badPosition,
                    "`\(shortened(String(decoding: key, as: UTF8.self)))` is not a valid path",
                    at: range,
                    help: "write the path as keys separated by dots: `in key user.name`")
            }
        case .correlation: break
        case .verb:
            if argument.type != .text {
                problems.error(
                    .badType, "an `in verb` argument must have type text", at: range)
            }
        default:
            problems.error(
                .badPosition, "`in \(word)` cannot be used with JSON objects", at: range,
                help:
                    "use `in key PATH`, or omit the position to use the argument's name as the key"
            )
        }
        if argument.presence == .variadic {
            problems.error(
                .badPosition, "`...` cannot be used with JSON objects", at: range,
                help: "for an array, write `\(argument.name): list of \(argument.type.name)`")
        }
        argument.type = memberType(argument.type, range)
    }

    /// Returns the type, with Booleans spelled as in JSON. Reports a type that JSON cannot
    /// represent.
    private func memberType(_ type: ArgumentType, _ range: SourceRange) -> ArgumentType {
        switch type {
        case .bytes:
            problems.error(
                .badType, "JSON cannot represent the `bytes` type", at: range,
                help: "use `text`, or `json` to keep a value as is")
        case .bool(let spelling):
            if spelling != .digits, spelling != .json {
                problems.error(
                    .badType, "a JSON bool must be `true` or `false`", at: range,
                    help: "write `bool`, or `one of yes|no` for words")
            }
            return .bool(.json)
        case .list(let element, let separator):
            return .list(of: memberType(element, range), separator: separator)
        case .int, .decimal, .text, .time, .choice, .json, .xml: break
        }
        return type
    }

    /// Reports a position that does not exist in the dialect's lines, or a type that is not allowed
    /// in its position.
    private func check(_ argument: ArgumentSignature, _ word: String, _ range: SourceRange) {
        if syntax.resp, ![.field, .verb].contains(argument.position) {
            problems.error(
                .badPosition, "`in \(word)` cannot be used with RESP", at: range,
                help: "omit the position: arguments are read from the elements in order")
            return
        }
        var missing: String?
        var wanted: ArgumentType?
        switch argument.position {
        case .key where syntax.keyValue == nil: missing = "fields.key-value"
        case .option where syntax.keyValue?.optionMarker == nil:
            missing = "fields.key-value.options"
        case .source where syntax.sourceMarker == nil: missing = "fields.source"
        case .tag where syntax.tags == nil: missing = "fields.tags"
        case .payloadLength: wanted = .int
        case .verb: wanted = .text
        default: break
        }
        if case .option = argument.position, argument.type.name != "bool" {
            wanted = .bool(.digits)
        }
        if let missing {
            problems.error(
                .badPosition, "`in \(word)` needs `\(missing)`", at: range,
                help: "add the setting to the dialect")
        } else if let wanted, argument.type.name != wanted.name {
            problems.error(
                .badType, "an `in \(word)` argument must have type \(wanted.name)", at: range,
                help: argument.position == .verb ? "a number would lose its leading zeros" : nil)
        }
        if argument.presence == .variadic, argument.position != .field {
            problems.error(
                .badPosition, "`...` is only valid for fields, not `in \(word)`", at: range)
        }
    }
}
