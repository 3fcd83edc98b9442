import Diagnostics

/// Keywords that start a header line.
enum HeaderWord: String, CaseIterable {
    case title, dialect, include, operators, tags, cite, timeout, set, secret, data, known, skip,
        needs, exec
}

/// Keywords that start a statement without an operator.
enum BodyWord: String, CaseIterable {
    case on, ignore, wait, think, sync, use, name, nick, any, one, `repeat`, eventually, outcome,
        fragment
}

/// Keywords that follow an operator instead of an arrow.
enum ActionWord: String, CaseIterable {
    case connect, close, halfClose = "half-close", abort, pause, resume, startTLS = "starttls",
        closed, quiet, ignore
}

/// Returns true if the word cannot be an operator name.
func isReserved(_ word: String) -> Bool {
    word == "self" || HeaderWord(rawValue: word) != nil || BodyWord(rawValue: word) != nil
        || ActionWord(rawValue: word) != nil
}

extension Parser {
    /// Parses a line that is not empty, a comment or a closing brace.
    mutating func readStatement(_ cursor: inout LineCursor) throws(Diagnosed) {
        let start = cursor.at
        guard let word = cursor.name() else { return try readNameless(&cursor) }
        if let header = HeaderWord(rawValue: word.text) {
            return try readHeader(header, word, &cursor)
        }
        let next = cursor.afterSpaces(from: cursor.at)
        let isArrow = Self.arrow(at: next, cursor) != nil
        if let body = BodyWord(rawValue: word.text), !isArrow || body == .on {
            let isOwn = body == .ignore && isInFragment
            if !isOwn { return try readBody(body, word, &cursor) }
        }
        if word.text == "self" {
            try requireFragment(word)
            return try readStep(Self.actor(word), start, &cursor)
        }
        if isInFragment, !isArrow, ActionWord(rawValue: word.text) != nil {
            cursor.at = start
            return try readStep(cursor.absentActor, start, &cursor)
        }
        if isReserved(word.text) {
            throw Diagnosed(
                error(
                    .reservedName,
                    "`\(word.text)` is a keyword and cannot be an operator name",
                    at: word.range))
        }
        try readStep(.named(word), start, &cursor)
    }

    private mutating func readNameless(_ cursor: inout LineCursor) throws(Diagnosed) {
        let start = cursor.at
        guard Self.arrow(at: start, cursor) != nil else {
            throw Diagnosed(
                error(
                    .unknownStatement, "expected a statement, found \(cursor.nextText)",
                    at: cursor.nextToken
                ).help("a step is an operator, an arrow and text, such as: alice -> PING"))
        }
        guard isInFragment else {
            throw Diagnosed(
                error(.missingOperator, "a step must begin with an operator", at: cursor.nextWord)
                    .help("only steps inside a fragment may omit the operator"))
        }
        try readStep(cursor.absentActor, start, &cursor)
    }

    /// Throws an error if `self` is used outside a fragment.
    func requireFragment(_ word: Name) throws(Diagnosed) {
        if isInFragment { return }
        throw Diagnosed(
            error(
                .selfOutside, "`self` is only valid in a fragment", at: word.range))
    }

    static func arrow(at offset: Int, _ cursor: LineCursor) -> StaticString? {
        let arrows: [StaticString] = ["->", "<-", "<~", "<?", "<!"]
        return arrows.first { cursor.starts(with: $0, at: offset) }
    }

    /// Parses a header line.
    private mutating func readHeader(
        _ kind: HeaderWord, _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        if kind == .cite { return try readCitation(word, &cursor) }
        if isBehaviour || hasSteps || frames.count > 1 {
            let expected = isBehaviour ? "be in the scenario header" : "come before the first step"
            throw Diagnosed(
                error(
                    .headerAfterStep, "the `\(word.text)` line must \(expected)", at: word.range)
            )
        }
        try header.read(kind, word, &cursor)
        try finish(&cursor)
    }

    // MARK: Steps of an operator

    private mutating func readStep(
        _ actor: Actor, _ start: Int, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        cursor.skipSpaces()
        if cursor.skip("->") {
            let message = try cursor.message()
            return try addStep(.send(message), actor, start, &cursor)
        }
        for mode in Expectation.Mode.allCases {
            guard cursor.starts(with: "<"), cursor.peek(1) == mode.rawValue.utf8.last else {
                continue
            }
            cursor.at += 2
            let kind = try expectation(mode, &cursor)
            return try addStep(kind, actor, start, &cursor)
        }
        let kind = try action(actor, &cursor)
        try addStep(kind, actor, start, &cursor)
    }

    /// Adds the parsed step and finishes its line.
    mutating func addStep(
        _ kind: Step.Kind, _ actor: Actor?, _ start: Int, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        let range = cursor.range(from: start)
        try finish(&cursor)
        add(kind, actor: actor, range: range)
    }

    private func expectation(
        _ mode: Expectation.Mode, _ cursor: inout LineCursor
    ) throws(Diagnosed) -> Step.Kind {
        let clock: StepModifier = mode == .never ? .for : .within
        let (pattern, modifiers) = try cursor.pattern([.payload, clock], of: "`\(mode.rawValue)`")
        return .expect(Expectation(mode, pattern, window: modifiers.window))
    }

    private func action(_ actor: Actor, _ cursor: inout LineCursor) throws(Diagnosed) -> Step.Kind {
        let start = cursor.at
        guard let word = cursor.name(), let action = ActionWord(rawValue: word.text) else {
            cursor.at = start
            throw unknownAction(actor, cursor)
        }
        switch action {
        case .connect: return .connect
        case .close: return .close
        case .halfClose: return .halfClose
        case .abort: return .abort
        case .pause: return .pause
        case .resume: return .resume
        case .startTLS: return .startTLS
        case .closed: return try closed(&cursor)
        case .quiet: return .quiet(for: try cursor.forTime())
        case .ignore: return .ignore(try cursor.pattern([.payload], of: "`ignore`").pattern)
        }
    }

    private func closed(_ cursor: inout LineCursor) throws(Diagnosed) -> Step.Kind {
        var manner: ClosingManner?
        cursor.skipSpaces()
        if cursor.skipWord("by") {
            cursor.skipSpaces()
            let start = cursor
            manner = cursor.name().flatMap { ClosingManner(rawValue: $0.text) }
            if manner == nil { throw start.unexpected("`fin` or `reset`") }
        }
        return .closed(by: manner, try cursor.within())
    }

    private func unknownAction(_ actor: Actor, _ cursor: LineCursor) -> Diagnosed {
        let known = knownOperators
        let actions = ActionWord.allCases.map(\.rawValue)
        var cursor = cursor
        let found = cursor.nextText
        let arrow = MisspelledArrow(quoted: found)
        let position = cursor.isDone ? cursor.nextToken : cursor.nextWord
        let suggestion = cursor.name().flatMap { didYouMean($0.text, among: actions) }
        if case .named(let name) = actor, !known.contains(name.text), suggestion == nil,
            arrow == nil
        {
            return unknownStatement(name)
        }
        let fault = error(
            .missingArrow, "expected `->`, `<-`, `<~`, `<?`, `<!` or an action, found \(found)",
            at: position)
        if let suggestion = suggestion ?? arrow?.meant {
            return Diagnosed(fault.help("did you mean `\(suggestion)`?"))
        }
        return Diagnosed(fault.help("actions are \(actions.joined(separator: ", "))"))
    }

    /// The declared operators; if none are declared, the operators of all steps so far outside
    /// completed blocks.
    private var knownOperators: Set<String> {
        if let declared = header.header.operators { return Set(declared.map(\.text)) }
        let steps = frames.flatMap(\.steps)
        return Set(steps.compactMap { $0.actor?.name })
    }

    private func unknownStatement(_ word: Name) -> Diagnosed {
        let fault = error(
            .unknownStatement, "unknown statement `\(word.text)`", at: word.range)
        let words =
            HeaderWord.allCases.map(\.rawValue) + BodyWord.allCases.map(\.rawValue)
            + (header.header.operators ?? []).map(\.text)
        if let suggestion = didYouMean(word.text, among: words) {
            return Diagnosed(fault.help("did you mean `\(suggestion)`?"))
        }
        return Diagnosed(
            fault.help("a step is an operator, an arrow and text: \(word.text) -> …"))
    }
}

extension LineCursor {
    /// The implied `self` of a step without an actor.
    var absentActor: Actor { .itself(NotCompared(wrappedValue: range(at, at))) }
}
