import LineProtocol

/// Keys allowed in an entry of a dialect's `clauses:` section.
enum ClauseKeys {
    static let document = ValueKey(
        "document", "Cited document", .text(),
        missing: "add the cited document, such as `RFC 2812`")
    static let section = ValueKey("section", "Document section", .rawText, default: "")
    static let quote = ValueKey(
        "quote", "Short quotation from the rule", .text(bytesMax: 600), default: "")
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

/// Keys allowed in an entry of a dialect's `known-failures:` section.
enum KnownFailureKeys {
    static let check = ValueKey(
        "check", "Check id, or only the part before its dot", .text(bytesMax: 128),
        missing: "add a check id, such as `frame.nul`")
    static let versions = ValueKey(
        "versions", "Server versions that fail, such as `'<27'`", .rawText)
    static let until = Key("until", "Last day on which the failure is excused", .scalar)
    static let reason = ValueKey(
        "reason", "Why the check fails", .text(), missing: "explain why the check fails")

    static let table = KeyTable("known-failure", [check, versions, until, reason])
}

/// Keys allowed in a dialect's `timing:` section.
enum TimingKeys {
    static let keepalive = ValueKey(
        "keepalive", "Interval between runs of `keepalive`", .duration)
    static let expiresAfter = ValueKey(
        "expires-after", "Time without keepalives after which the server ends a session",
        .duration)
    static let loginWithin = ValueKey(
        "login-within", "Maximum time for a new connection to log in", .duration)
    static let throttleMax = ValueKey(
        "throttle-max", "Maximum delay that flood control adds to an answer", .duration)

    static let table = KeyTable("timing", [keepalive, expiresAfter, loginWithin, throttleMax])
}

/// Keys allowed in a behaviour, and the shapes of its scenario text.
enum BehaviourKeys {
    static let parameters = Key(
        "parameters", "Parameter names",
        .list(of: .name, max: BehaviourReader.parametersMax))
    static let steps = Key(
        "steps", "Scenario text without operator names",
        .text(bytesMax: BehaviourReader.bytesMax),
        missing: "write the scenario text as a block after `|`")

    static let needs = Key(
        "needs",
        "Feature that the server must support for checks to use the behaviour, such as `cap batch`",
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
        ]), max: BehaviourReader.patternsMax)
}
