import Diagnostics
import LineProtocol

/// The standard behaviours of dialects and their parameters.
enum StandardBehaviour {
    private static let all: [(name: String, parameters: [String], summary: String)] = [
        ("login", ["name"], "Logs in; runs first and can also set up standing replies"),
        ("password", [], "Runs before `login` if the `password` variable is set"),
        ("probe", [], "Barrier: a command that a working server always answers"),
        ("probe-refused", [], "The server's refusal of a probe before login"),
        ("relay", ["to", "text"], "Sends a message to one other operator, by login name"),
        ("arrival", ["from", "text"], "The line that delivers a `relay` message"),
        ("enter", ["room"], "Enters a room"),
        ("say", ["room", "text"], "Sends a message to everyone in a room"),
        ("heard", ["from", "room", "text"], "The line that delivers a `say` message"),
        ("leave", ["room"], "Leaves the room"),
        ("keepalive", [], "Keeps the session alive; runs at the `timing.keepalive` interval"),
        ("logout", [], "Logs out; runs last"),
        ("remember", ["value"], "Stores a value on the server"),
        ("recall", ["value"], "Reads back the stored value"),
        ("survey", ["name"], "Logs in and asks the server what it supports; used for `offers`"),
        ("members", ["room"], "Requests the list of a room's members"),
        ("member-details", ["room"], "Requests the list of a room's members with details"),
        ("rooms", [], "Requests the list of all rooms"),
        ("rooms-of", ["user"], "Requests the list of a user's rooms, by login name"),
        ("ban", ["room", "mask"], "Adds an entry to a room's ban list"),
        ("bans", ["room"], "Requests a room's ban list"),
        ("negotiation", [], "Starts feature negotiation; no login completes until it ends"),
        ("negotiation-end", [], "Ends feature negotiation"),
        ("negotiate", ["features"], "Turns on features, separated by spaces"),
        (
            "negotiate-refused", ["features"],
            "Requests features and expects the server to refuse them"
        ),
        (
            "negotiate-off", ["feature"],
            "Turns off a feature; must also succeed if the server does not offer it"
        ),
        ("negotiated", [], "Requests the list of features that are turned on"),
        (
            "monitor", ["user"],
            "Starts monitoring a user: the server then reports when the user comes or goes"
        ),
        ("monitor-off", ["user"], "Stops monitoring a user"),
        ("monitor-online", ["user"], "The line that reports that a user is online"),
        ("monitor-offline", ["user"], "The line that reports that a user is offline"),
        ("needs-operator", [], "The server's refusal of a command reserved for room operators"),
        ("labels", [], "Turns on labels: the server copies a command's label into its responses"),
        ("authentication", [], "Begins an authentication that needs no account, and aborts it"),
        ("batches", [], "Turns on batches: the server groups related lines"),
        ("history", ["room"], "Requests the last messages in a room"),
        ("accept-tags", [], "Turns on message tags in both directions"),
        ("say-tagged", ["room", "text", "value"], "Sends a tagged message to a room"),
        (
            "heard-tagged", ["from", "room", "text", "value"],
            "The line that delivers a `say-tagged` message"
        ),
    ]

    static let names = all.map(\.name)

    /// The name of each behaviour, with a summary of its purpose and parameters.
    static let summaries = all.map { behaviour in
        let parameters = behaviour.parameters.map { "`\($0)`" }.joined(separator: ", ")
        let ending = parameters.isEmpty ? "" : ". Parameters: \(parameters)"
        return (name: behaviour.name, summary: behaviour.summary + ending)
    }

    static func parameters(of name: String) -> [String]? {
        all.first { $0.name == name }?.parameters
    }
}

/// Reader for `behaviours:`, `rejects:` and `ignores:`. It leaves their scenario text unparsed, but
/// records where it starts in the file.
struct BehaviourReader {
    static let bytesMax = 8 << 10
    static let behavioursMax = 200
    static let patternsMax = 100
    static let parametersMax = 16
    static let needsMax = 16
    static let needBytesMax = 128

    let problems: Problems
    /// The kinds in the dialect's `offers`, which `needs` can refer to.
    let offerKinds: [String]

    func behaviours(_ setting: Setting?) -> [String: Behaviour] {
        guard let section = setting?.openSection() else { return [:] }
        guard section.settings.count <= Self.behavioursMax else {
            problems.error(
                .tooMany, "more than \(Self.behavioursMax) behaviours", at: section.range)
            return [:]
        }
        var result: [String: Behaviour] = [:]
        for setting in section.settings {
            guard isIdentifier(setting.name) else {
                problems.error(
                    .badName, "`\(shortened(setting.name))` is not a valid behaviour name",
                    at: setting.key)
                continue
            }
            result[setting.name] = behaviour(setting)
        }
        return result
    }

    private func behaviour(_ setting: Setting) -> Behaviour? {
        let standard = StandardBehaviour.parameters(of: setting.name)
        guard case .map = setting.value.kind else {
            return text(setting, parameters: standard ?? [])
        }
        guard let section = setting.section(BehaviourKeys.table),
            let steps = section.required(BehaviourKeys.steps)
        else { return nil }
        var parameters = standard ?? []
        if let stated = section[BehaviourKeys.parameters] {
            let list = stated.list(max: Self.parametersMax) ?? []
            parameters = list.compactMap { $0.identifier("a valid parameter name") }
            if let standard, parameters != standard {
                problems.error(
                    .behaviourParameters,
                    "the parameters of `\(setting.name)` are fixed: \(standard.isEmpty ? "none" : listed(standard, "and"))",
                    at: stated.value.range, help: "remove `parameters`")
            }
        }
        let needs = section[BehaviourKeys.needs]?.list(max: Self.needsMax) ?? []
        var behaviour = text(steps, name: setting.name, parameters: parameters)
        behaviour?.needs = needs.compactMap(need)
        return behaviour
    }

    /// Reads an entry of `needs`, which has the form `KIND NAME`. Reports an error and returns nil
    /// if it is invalid.
    private func need(_ setting: Setting) -> OfferedName? {
        guard let text = setting.text(bytesMax: Self.needBytesMax) else { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else {
            problems.error(
                .badName, "expected a kind and a name, found `\(shortened(text))`",
                at: setting.value.range, help: "for example: `cap batch`")
            return nil
        }
        guard offerKinds.contains(words[0]) else {
            let suggestion = didYouMean(words[0], among: offerKinds).map { "did you mean `\($0)`?" }
            problems.error(
                .unknownOffer, "unknown kind of offer `\(shortened(words[0]))`",
                at: setting.value.range,
                help: suggestion
                    ?? (offerKinds.isEmpty
                        ? "define the kind under `offers:`"
                        : "kinds: \(listed(offerKinds, "and"))"))
            return nil
        }
        return OfferedName(kind: words[0], name: words[1])
    }

    /// Reads patterns in the scenario language, one per entry: `pattern` or `name: pattern`.
    func patterns(_ setting: Setting?, _ what: String) -> [Behaviour] {
        guard let setting, let list = setting.list(max: Self.patternsMax) else { return [] }
        return list.enumerated().compactMap { index, item in
            guard case .map(let entries) = item.value.kind else {
                return text(item, name: "\(what)-\(index + 1)", parameters: [])
            }
            guard entries.count == 1, let named = item.openSection()?.settings.first else {
                problems.error(
                    .wrongType, "expected a pattern, or a name with a pattern",
                    at: item.value.range)
                return nil
            }
            return text(named, parameters: [])
        }
    }

    private func text(
        _ setting: Setting, name: String? = nil, parameters: [String]
    ) -> Behaviour? {
        guard let text = setting.text(bytesMax: Self.bytesMax) else { return nil }
        guard let position = position(of: setting.value, text) else {
            problems.error(
                .behaviourForm,
                "scenario text must be a literal block, so that errors can point into it",
                at: setting.value.range,
                help: "write `\(setting.name): |` followed by the steps on separate lines")
            return nil
        }
        return Behaviour(
            name: name ?? setting.name, parameters: parameters, scenarioText: text,
            line: position.line,
            column: position.column)
    }

    /// Returns the line and the byte column where the text starts in the file; nil if the file does
    /// not contain the text literally.
    private func position(of value: YamlValue, _ text: String) -> (line: Int, column: Int)? {
        let source = problems.source
        if let start = value.textStart(in: source) {
            guard !text.contains("\n") else { return nil }
            let line = source.line(at: start)
            return (line, start - source.range(ofLine: line).start + 1)
        }
        guard case .scalar(_, .block) = value.kind else { return nil }
        let first = source.line(at: value.range.start) + 1
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let index = lines.firstIndex(where: { !$0.isEmpty }) else { return (first, 1) }
        let written = source.range(ofLine: first + index)
        let column = written.count - lines[index].utf8.count
        guard column >= 0 else { return nil }
        // A folded block joins lines, so its text differs from that in the file.
        for (offset, line) in lines.enumerated() where !line.isEmpty {
            let range = source.range(ofLine: first + offset)
            let part = SourceRange(start: range.start + column, end: range.end)
            guard source.bytes(in: part).elementsEqual(line.utf8) else { return nil }
        }
        return (first, column + 1)
    }
}
