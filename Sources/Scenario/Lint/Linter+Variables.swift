import Diagnostics

extension Linter {
    /// A hole that names a variable.
    private struct Mention {
        enum Sort {
            case send
            case pattern
            case standing
        }

        var name: String
        var range: SourceRange
        var sort: Sort
        /// Whether the kind of hole can only capture.
        var mustCapture: Bool
        /// The fragment around it.
        var fragment: String?
    }

    /// Captures that nobody reads, and reads of what nobody captured.
    mutating func checkVariables() {
        let mentions = mentions()
        checkUnusedCaptures(mentions)
        checkUnbound(mentions)
    }

    private func mentions() -> [Mention] {
        var found: [Mention] = []
        func collect(_ steps: [Step], in fragment: String?) {
            steps.walk { step in
                let isStanding = if case .standingReply = step.kind { true } else { false }
                for hole in step.pattern?.holes ?? [] {
                    guard let name = hole.variable else { continue }
                    let isPlain = if case .variable = hole.kind { true } else { false }
                    found.append(
                        Mention(
                            name: name, range: hole.range, sort: isStanding ? .standing : .pattern,
                            mustCapture: !isPlain, fragment: fragment))
                }
                for hole in sentHoles(of: step) {
                    guard let name = hole.variable else { continue }
                    found.append(
                        Mention(
                            name: name, range: hole.range, sort: .send, mustCapture: false,
                            fragment: fragment))
                }
            }
        }
        for fragment in file.fragments { collect(fragment.steps, in: fragment.name.text) }
        collect(file.steps, in: nil)
        return found
    }

    private func sentHoles(of step: Step) -> [Hole] {
        switch step.kind {
        case .use(let use): use.arguments.flatMap(\.value.holes)
        case .nameFree(let name, _): name.holes
        default: step.message?.holes ?? []
        }
    }

    /// Variables that have a value without being captured.
    private var given: Set<String> {
        var given: Set<String> = ["self", "nonce", "server.host", "server.port"]
        if file.header.command != nil { given.formUnion(["port", "dir"]) }
        given.formUnion(context.variables)
        given.formUnion(file.header.settings.map(\.name.text))
        given.formUnion(file.header.secrets.map(\.text))
        everyStep.walk { step in
            if case .repeated(let repetition) = step.kind, let counter = repetition.counter {
                given.insert(counter.text)
            }
        }
        return given
    }

    private func parameters(of fragment: String?) -> Set<String> {
        let found = file.fragments.first { $0.name.text == fragment }
        return Set(found?.parameters.map(\.text) ?? [])
    }

    private mutating func checkUnusedCaptures(_ mentions: [Mention]) {
        let given = given
        let counts = Dictionary(grouping: mentions, by: \.name).mapValues(\.count)
        for mention in mentions where mention.sort != .send && counts[mention.name] == 1 {
            let isGiven =
                given.contains(mention.name)
                || parameters(of: mention.fragment).contains(mention.name)
            if isGiven && !mention.mustCapture { continue }
            report(
                .unusedCapture, "`\(mention.name)` is captured and never used", at: mention.range,
                help: "a hole that captures nothing: {{_}}, {{_:int}}, {{/REGEX/}}, {{...}}")
        }
    }

    private mutating func checkUnbound(_ mentions: [Mention]) {
        // A behaviour of the dialect may capture what this file reads.
        let names = Set(file.fragments.map(\.name.text))
        var usesBehaviour = false
        everyStep.walk { step in
            if case .use(let use) = step.kind, !names.contains(use.name.text) {
                usesBehaviour = true
            }
        }
        if usesBehaviour { return }
        let given = given
        let captures = mentions.filter { $0.sort != .send }
        for mention in mentions where mention.sort == .send {
            if given.contains(mention.name)
                || parameters(of: mention.fragment).contains(mention.name)
            {
                continue
            }
            let same = captures.filter { $0.name == mention.name }
            let isBound = same.contains { capture in
                capture.fragment != nil || mention.fragment != nil
                    || capture.range.start < mention.range.start
            }
            if isBound { continue }
            reportUnbound(mention, captures, later: same.first)
        }
    }

    private mutating func reportUnbound(
        _ mention: Mention, _ captures: [Mention], later: Mention?
    ) {
        if let later {
            report(
                .unboundVariable, "`\(mention.name)` has no value yet", at: mention.range,
                related: (later.range, "captured only here"))
            return
        }
        let known = captures.map(\.name) + given.sorted()
        let meant = didYouMean(mention.name, among: known).map { "did you mean `\($0)`?" }
        report(
            .unboundVariable, "nothing gives `\(mention.name)` a value", at: mention.range,
            help: meant ?? "capture it, write `set \(mention.name) = …`, or give --var")
    }
}
