import Diagnostics

/// Words that start a line of the header.
enum HeaderWord: String, CaseIterable {
    case title, dialect, operators, tags, cite, timeout, set, secret, known, skip, exec
}

/// Words that start a statement of the body that has no operator in front.
enum BodyWord: String, CaseIterable {
    case on, ignore, wait, think, sync, use, name, nick, any, `repeat`, eventually, outcome,
        fragment
}

/// Words that stand after an operator in place of an arrow.
enum ActionWord: String, CaseIterable {
    case connect, close, halfClose = "half-close", abort, pause, resume, closed, quiet,
        ignore
}

/// Words that cannot be operators.
func isReserved(_ word: String) -> Bool {
    word == "self" || HeaderWord(rawValue: word) != nil || BodyWord(rawValue: word) != nil
        || ActionWord(rawValue: word) != nil
}

extension Parser {
    /// A line that is neither empty nor a comment nor a closing brace.
    mutating func readStatement(_ cursor: inout LineCursor) throws(Diagnosed) {
        let start = cursor.at
        guard let word = cursor.name() else { return try readNameless(&cursor) }
        if let header = HeaderWord(rawValue: word.text) {
            return try readHeader(header, word, &cursor)
        }
        let next = cursor.afterBlanks(from: cursor.at)
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
                    "`\(word.text)` is a word of the language and no operator's name",
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
                ).help("a step is an operator, an arrow and a text: alice -> PING"))
        }
        guard isInFragment else {
            throw Diagnosed(
                error(.missingOperator, "a step begins with an operator", at: cursor.nextWord)
                    .help("only in a fragment, and there it is whoever plays the fragment"))
        }
        try readStep(cursor.absentActor, start, &cursor)
    }

    /// Refuses `self` where nobody plays a fragment.
    func requireFragment(_ word: Name) throws(Diagnosed) {
        if isInFragment { return }
        throw Diagnosed(
            error(
                .selfOutside, "`self` is whoever plays a fragment; here is none", at: word.range))
    }

    /// An arrow at an offset.
    static func arrow(at offset: Int, _ cursor: LineCursor) -> StaticString? {
        let arrows: [StaticString] = ["->", "<-", "<~", "<?", "<!"]
        return arrows.first { cursor.starts(with: $0, at: offset) }
    }

    // MARK: Steps of an operator

    private mutating func readStep(
        _ actor: Actor, _ start: Int, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        cursor.skipBlanks()
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

    /// Adds the step that has been read, and what follows it in its line.
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
        let clock: Clause = mode == .never ? .for : .within
        let (pattern, clauses) = try cursor.pattern([.payload, clock], of: "`\(mode.rawValue)`")
        return .expect(Expectation(mode, pattern, window: clauses.window))
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
        case .closed: return try closed(&cursor)
        case .quiet: return .quiet(for: try cursor.forTime())
        case .ignore: return .ignore(try cursor.pattern([.payload], of: "`ignore`").pattern)
        }
    }

    private func closed(_ cursor: inout LineCursor) throws(Diagnosed) -> Step.Kind {
        var manner: ClosingManner?
        cursor.skipBlanks()
        if cursor.skipWord("by") {
            cursor.skipBlanks()
            let place = cursor
            manner = cursor.name().flatMap { ClosingManner(rawValue: $0.text) }
            if manner == nil { throw place.unexpected("`fin` or `reset`") }
        }
        return .closed(by: manner, try cursor.within())
    }

    private func unknownAction(_ actor: Actor, _ cursor: LineCursor) -> Diagnosed {
        let known = knownOperators
        let actions = ActionWord.allCases.map(\.rawValue)
        var cursor = cursor
        let found = cursor.nextText
        let place = cursor.isDone ? cursor.nextToken : cursor.nextWord
        let meant = cursor.name().flatMap { didYouMean($0.text, among: actions) }
        if case .named(let name) = actor, !known.contains(name.text), meant == nil,
            !Self.looksLikeArrow(found)
        {
            return unknownStatement(name)
        }
        let fault = error(
            .missingArrow, "expected `->`, `<-`, `<~`, `<?`, `<!` or an action, found \(found)",
            at: place)
        if let meant { return Diagnosed(fault.help("did you mean `\(meant)`?")) }
        return Diagnosed(fault.help("actions are \(actions.joined(separator: ", "))"))
    }

    private static func looksLikeArrow(_ text: String) -> Bool {
        let inner = text.dropFirst().dropLast()
        return !inner.isEmpty && inner.allSatisfy { "<>-=~?!:".contains($0) }
    }

    /// The operators that are declared, or have had a step.
    private var knownOperators: Set<String> {
        if let declared = header.header.operators { return Set(declared.map(\.text)) }
        let steps = frames.flatMap(\.steps)
        return Set(steps.compactMap { $0.actor?.name })
    }

    private func unknownStatement(_ word: Name) -> Diagnosed {
        let fault = error(
            .unknownStatement, "`\(word.text)` starts no statement", at: word.range)
        let words =
            HeaderWord.allCases.map(\.rawValue) + BodyWord.allCases.map(\.rawValue)
            + (header.header.operators ?? []).map(\.text)
        if let meant = didYouMean(word.text, among: words) {
            return Diagnosed(fault.help("did you mean `\(meant)`?"))
        }
        return Diagnosed(
            fault.help("a step is an operator, an arrow and a text: \(word.text) -> …"))
    }
}

extension LineCursor {
    /// The actor of a step that names none.
    var absentActor: Actor { .itself(NotCompared(wrappedValue: range(at, at))) }
}
