import Diagnostics

extension Linter {
    /// A placeholder that refers to a variable.
    private struct Mention {
        /// The kind of step that contains the placeholder.
        enum StepKind {
            case send
            case pattern
            case standing
        }

        var name: String
        var range: SourceRange
        var stepKind: StepKind
        /// True if this kind of placeholder captures a value even if the variable already has one.
        var mustCapture: Bool
        /// Name of the enclosing fragment, if any.
        var fragment: String?
    }

    /// Reports captures that are never read, and variables that are read but never captured.
    mutating func checkVariables() {
        let mentions = mentions()
        checkUnusedCaptures(mentions)
        // The variables of these fragments are set by the files that include them.
        if file.hasOnlyFragments { return }
        checkUnbound(mentions)
    }

    private func mentions() -> [Mention] {
        var found: [Mention] = []
        func collect(_ steps: [Step], in fragment: String?) {
            steps.walk { step in
                let isStanding = if case .standingReply = step.kind { true } else { false }
                for placeholder in step.pattern?.placeholders ?? [] {
                    guard let name = placeholder.variable else { continue }
                    let isPlain = if case .variable = placeholder.kind { true } else { false }
                    found.append(
                        Mention(
                            name: name, range: placeholder.range,
                            stepKind: isStanding ? .standing : .pattern,
                            mustCapture: !isPlain, fragment: fragment))
                }
                for placeholder in sentPlaceholders(of: step) {
                    guard let name = placeholder.variable else { continue }
                    found.append(
                        Mention(
                            name: name, range: placeholder.range, stepKind: .send,
                            mustCapture: false,
                            fragment: fragment))
                }
            }
        }
        for fragment in file.fragments { collect(fragment.steps, in: fragment.name.text) }
        collect(file.steps, in: nil)
        return found
    }

    private var namesInIncludedFragments: Set<String> {
        var names: Set<String> = []
        file.included.flatMap(\.fragment.steps).walk { step in
            let found = (step.pattern?.placeholders ?? []) + sentPlaceholders(of: step)
            names.formUnion(found.compactMap(\.variable))
        }
        return names
    }

    private func sentPlaceholders(of step: Step) -> [Placeholder] {
        switch step.kind {
        case .use(let use): use.arguments.flatMap(\.value.placeholders)
        case .nameFree(let name, _): name.placeholders
        default: step.message?.placeholders ?? []
        }
    }

    /// Variables that have a value without being captured.
    private var given: Set<String> {
        var given: Set<String> = ["self", "nonce", "server.host", "server.port"]
        if file.header.command != nil { given.formUnion(["port", "dir"]) }
        given.formUnion(context.variables)
        given.formUnion(context.columns ?? [])
        given.formUnion(file.header.settings.map(\.name.text))
        given.formUnion(file.header.secrets.map(\.text))
        everyStep.walk { step in
            if case .repeated(let repetition) = step.kind, let counter = repetition.counter {
                given.insert(counter.text)
            }
        }
        return given
    }

    /// Returns true if the mention refers to a parameter of its fragment.
    private func isParameter(_ mention: Mention) -> Bool {
        mention.fragment.flatMap { parameters[$0]?.contains(mention.name) } ?? false
    }

    private mutating func checkUnusedCaptures(_ mentions: [Mention]) {
        let given = given
        let counts = Dictionary(grouping: mentions, by: \.name).mapValues(\.count)
        let elsewhere = namesInIncludedFragments
        for mention in mentions where mention.stepKind != .send && counts[mention.name] == 1 {
            let isGiven = given.contains(mention.name) || isParameter(mention)
            if isGiven && !mention.mustCapture || elsewhere.contains(mention.name) { continue }
            report(
                .unusedCapture, "`\(mention.name)` is captured but never used", at: mention.range,
                help: "to match without capturing, use {{_}}, {{_:int}}, {{/REGEX/}} or {{...}}")
        }
    }

    private mutating func checkUnbound(_ mentions: [Mention]) {
        // The dialect's behaviours may capture variables that this file reads.
        let names = Set(file.fragments.map(\.name.text))
        var usesBehaviour = false
        everyStep.walk { step in
            if case .use(let use) = step.kind, !names.contains(use.name.text) {
                usesBehaviour = true
            }
        }
        let hasUnknownColumns = file.header.data != nil && context.columns == nil
        if usesBehaviour || hasUnknownColumns { return }
        let given = given
        let captures = Dictionary(grouping: mentions.filter { $0.stepKind != .send }, by: \.name)
        let firsts = captures.compactMapValues(Self.first)
        for mention in mentions where mention.stepKind == .send && !isFull {
            if given.contains(mention.name) || isParameter(mention) { continue }
            let first = firsts[mention.name]
            if let first, first.fragment != nil || mention.fragment != nil { continue }
            if let first, first.range.start < mention.range.start { continue }
            reportUnbound(mention, known: captures.keys.sorted() + given.sorted(), later: first)
        }
    }

    /// Returns the earliest capture; nil if there is none. A capture in a fragment comes before all
    /// others, because a fragment may run at any time.
    private static func first(of captures: [Mention]) -> Mention? {
        captures.first { $0.fragment != nil }
            ?? captures.min { $0.range.start < $1.range.start }
    }

    private mutating func reportUnbound(_ mention: Mention, known: [String], later: Mention?) {
        if let later {
            report(
                .unboundVariable, "`\(mention.name)` has no value yet", at: mention.range,
                related: (later.range, "first captured here"))
            return
        }
        let suggestion = didYouMean(mention.name, among: known).map { "did you mean `\($0)`?" }
        report(
            .unboundVariable, "`\(mention.name)` has no value", at: mention.range,
            help: suggestion ?? "capture it, write `set \(mention.name) = …`, or pass --var")
    }
}
