import LineProtocol

/// Keys of a clause.
enum ClauseKeys {
    static let document = ValueKey(
        "document", "Cited document", .text(),
        missing: "add the cited document, such as `RFC 2812`")
    static let section = ValueKey("section", "Section of the document", .rawText, default: "")
    static let quote = ValueKey(
        "quote", "Wording of the rule, kept short", .text(bytesMax: 600), default: "")
    static let level = ValueKey(
        "level", "Requirement level; by default taken from the quote",
        .words([
            "must": RequirementLevel.must, "should": .should, "may": .may, "policy": .policy,
            "robustness": .robustness,
        ]))
    static let rules = Key(
        "for", "Settings that the clause defines",
        .list(of: .words(RulePaths.all), max: ClauseReader.rulesMax))

    static let table = KeyTable("clause", [document, section, quote, level, rules])
}

/// Keys of an entry of `known-failures:`.
enum KnownFailureKeys {
    static let check = ValueKey(
        "check", "Id of a check, or its part before the dot", .text(bytesMax: 128),
        missing: "add the id of a check, such as `frame.nul`")
    static let versions = ValueKey(
        "versions", "Versions of the server that fail, such as `'<27'`", .rawText)
    static let until = Key("until", "Last day on which the failure is excused", .scalar)
    static let reason = ValueKey(
        "reason", "Why it fails", .text(), missing: "explain why it fails")

    static let table = KeyTable("known-failure", [check, versions, until, reason])
}

/// Keys of `timing:`.
enum TimingKeys {
    static let keepalive = ValueKey(
        "keepalive", "Interval between two runs of `keepalive`", .duration)
    static let expiresAfter = ValueKey(
        "expires-after", "Time without a keepalive after which a server ends the session",
        .duration)
    static let loginWithin = ValueKey(
        "login-within", "Maximum time for a new connection to log in", .duration)
    static let throttleMax = ValueKey(
        "throttle-max", "Longest time that flood control delays an answer", .duration)

    static let table = KeyTable("timing", [keepalive, expiresAfter, loginWithin, throttleMax])
}

/// Keys of a behaviour, and the shapes of its scenario text.
enum BehaviourKeys {
    static let parameters = Key(
        "parameters", "Names of its parameters",
        .list(of: .name, max: BehaviourReader.parametersMax))
    static let steps = Key(
        "steps", "Scenario text without operator names",
        .text(bytesMax: BehaviourReader.bytesMax),
        missing: "write the scenario text as a block after `|`")

    static let needs = Key(
        "needs", "What a server must support for checks that use it, such as `cap batch`",
        .list(of: .text(bytesMax: BehaviourReader.needBytesMax), max: BehaviourReader.needsMax))

    static let table = KeyTable("behaviour", [parameters, needs, steps])

    static let shape = ValueShape.any([.text(bytesMax: BehaviourReader.bytesMax), .map(table)])

    /// Patterns, each with an optional name.
    static let patterns = ValueShape.list(
        of: .any([
            .text(bytesMax: BehaviourReader.bytesMax),
            .entries(
                .init(
                    .text(bytesMax: BehaviourReader.bytesMax), keys: .texts, min: 1, max: 1)),
        ]), max: BehaviourReader.behavioursMax)
}
