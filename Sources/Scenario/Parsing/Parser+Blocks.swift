import Diagnostics

extension Parser {
    /// Parses the first line of a block.
    mutating func openBlock(
        _ word: BodyWord, _ start: Int, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        do throws(Diagnosed) {
            let kind = try blockKind(word, &cursor)
            cursor.skipSpaces()
            guard cursor.skip("{") else {
                lacksBrace = true
                throw Diagnosed(
                    error(
                        .missingBrace, "expected `{`, found \(cursor.nextText)",
                        at: cursor.nextToken
                    ).help("a block opens with `{` at the end of its first line"))
            }
            let range = cursor.range(from: start)
            try finish(&cursor)
            try push(kind, range)
        } catch {
            // Parse the following lines as if the block were open. Otherwise, each of them would be
            // reported as well.
            frames.append(Frame(.broken, range: cursor.range(start, cursor.end)))
            frames[frames.count - 1].outerCitation = citation
            throw error
        }
    }

    private mutating func push(_ kind: Frame.Kind, _ range: SourceRange) throws(Diagnosed) {
        guard frames.count <= ScenarioLimits.blockDepthMax else {
            throw Diagnosed(
                error(
                    .tooDeep,
                    "blocks are nested more than \(ScenarioLimits.blockDepthMax) levels deep",
                    at: range))
        }
        if case .fragment = kind {
            guard fragments.count < ScenarioLimits.fragmentsMax else {
                throw Diagnosed(
                    error(
                        .tooManyFragments,
                        "more than \(ScenarioLimits.fragmentsMax) fragments in a file", at: range))
            }
            if frames.count > 1 || isBehaviour {
                throw Diagnosed(
                    error(.nestedFragment, "a fragment cannot be defined inside a block", at: range)
                )
            }
        } else {
            hasSteps = true
        }
        if case .anyOrder = frames[frames.count - 1].kind {
            list.add(
                error(.notInAnyOrder, "`any order` may contain only `<-` and `<~` steps", at: range)
            )
        }
        var frame = Frame(kind, range: range)
        frame.outerCitation = citation
        if case .fragment = kind { citation = nil }
        frames.append(frame)
    }

    private func blockKind(
        _ word: BodyWord, _ cursor: inout LineCursor
    ) throws(Diagnosed) -> Frame.Kind {
        cursor.skipSpaces()
        switch word {
        case .any:
            guard cursor.skipWord("order") else { throw cursor.unexpected("`any order {`") }
            return .anyOrder
        case .one:
            guard cursor.skipWord("of") else { throw cursor.unexpected("`one of {`") }
            return .oneOf([])
        case .repeat: return try repetition(&cursor)
        case .eventually: return .eventually(try cursor.within())
        case .outcome:
            guard cursor.skipWord("of") else { throw cursor.unexpected("`outcome of {`") }
            return .outcome
        default: return try fragment(&cursor)
        }
    }

    private func repetition(_ cursor: inout LineCursor) throws(Diagnosed) -> Frame.Kind {
        let position = cursor.nextWord
        let most = ScenarioLimits.repeatCountMax
        guard let count = cursor.digits(), (1...most).contains(count) else {
            throw Diagnosed(
                error(
                    .badNumber, "expected a repeat count",
                    at: position.count == 0 ? cursor.nextToken : position
                ).help("use a whole number from 1 to \(most)"))
        }
        var counter: Name?
        cursor.skipSpaces()
        if cursor.skipWord("as") {
            cursor.skipSpaces()
            guard let name = cursor.name() else { throw cursor.unexpected("a variable name") }
            counter = name
            cursor.skipSpaces()
        }
        let every = cursor.skipWord("every") ? try cursor.duration() : nil
        return .repeated(count: count, counter: counter, every: every)
    }

    private func fragment(_ cursor: inout LineCursor) throws(Diagnosed) -> Frame.Kind {
        guard let name = cursor.name() else { throw cursor.unexpected("a fragment name") }
        cursor.skipSpaces()
        guard cursor.skip("(") else { return .fragment(name, parameters: []) }
        cursor.skipSpaces()
        if cursor.skip(")") { return .fragment(name, parameters: []) }
        let parameters = try cursor.names(of: "a parameter name")
        guard cursor.skip(")") else { throw cursor.unexpected("`,` or `)`") }
        return .fragment(name, parameters: parameters)
    }

    /// Parses a line that starts with a closing brace.
    mutating func closeBlock(_ cursor: inout LineCursor) throws(Diagnosed) {
        let start = cursor.at
        cursor.at += 1
        let brace = cursor.range(from: start)
        cursor.skipSpaces()
        let isSameAs = cursor.starts(with: "same")
        let isOr = cursor.starts(with: "or")
        guard frames.count > 1 else {
            throw Diagnosed(error(.strayBrace, "unmatched `}`", at: brace))
        }
        if isSameAs { return try openSameAs(&cursor) }
        if isOr { return try openOr(&cursor, brace) }
        let frame = frames.removeLast()
        citation = frame.outerCitation
        if case .oneOf(let blocks) = frame.kind {
            checkFirstStep(of: frame, at: brace)
            guard !blocks.isEmpty else {
                throw Diagnosed(
                    error(.missingPair, "`one of` has no `or` block", at: brace)
                        .help("continue with `} or {`, the steps of another outcome, and `}`"))
            }
        }
        if case .outcome = frame.kind {
            throw Diagnosed(
                error(.missingPair, "`outcome of` has no `same as` block", at: brace)
                    .help("continue with `} same as {`, the second variant, and `}`"))
        }
        close(frame, at: brace)
        try finish(&cursor)
    }

    private mutating func openSameAs(_ cursor: inout LineCursor) throws(Diagnosed) {
        let position = cursor.nextWord
        cursor.at += 4
        let hasWords = cursor.skipSpaces() > 0 && cursor.skipWord("as")
        cursor.skipSpaces()
        guard hasWords, cursor.skip("{") else { throw cursor.unexpected("`} same as {`") }
        let frame = frames.removeLast()
        let range = frame.range
        citation = frame.outerCitation
        var next = Frame(.broken, range: range)
        next.outerCitation = citation
        switch frame.kind {
        case .outcome: next.kind = .sameAs(first: frame.steps)
        case .broken: break
        default:
            list.add(
                error(.strayBrace, "`same as` is only valid after `outcome of {`", at: position))
        }
        frames.append(next)
        try finish(&cursor)
    }

    private mutating func openOr(
        _ cursor: inout LineCursor, _ brace: SourceRange
    ) throws(Diagnosed) {
        let position = cursor.nextWord
        let isWord = cursor.skipWord("or")
        cursor.skipSpaces()
        guard isWord, cursor.skip("{") else { throw cursor.unexpected("`} or {`") }
        let frame = frames.removeLast()
        citation = frame.outerCitation
        var next = Frame(.broken, range: frame.range)
        next.outerCitation = citation
        switch frame.kind {
        case .oneOf(let blocks):
            checkFirstStep(of: frame, at: brace)
            next.kind = .oneOf(blocks + [frame.steps])
        case .broken: break
        default:
            list.add(error(.strayBrace, "`or` is only valid after `one of {`", at: position))
        }
        frames.append(next)
        try finish(&cursor)
    }

    /// Reports a block of `one of` whose first step cannot show whether the server chose that
    /// block.
    private mutating func checkFirstStep(of frame: Frame, at brace: SourceRange) {
        if frame.steps.first?.isOutcome == true { return }
        list.add(
            error(
                .noOutcome, "a block of `one of` must start with `<-`, `<~` or `closed`",
                at: frame.steps.first?.range ?? brace
            ).help("its first step decides whether the block applies"))
    }

    /// Creates the step or fragment for a completed block.
    private mutating func close(_ frame: Frame, at brace: SourceRange) {
        let range = frame.range.joined(with: brace)
        switch frame.kind {
        case .file, .broken, .outcome: return
        case .fragment(let name, let parameters):
            fragments.append(
                Fragment(name: name, parameters: parameters, steps: frame.steps, range: range))
        case .anyOrder: add(.anyOrder(frame.steps), range: range)
        case .oneOf(let blocks): add(.oneOf(blocks + [frame.steps]), range: range)
        case .eventually(let window): add(.eventually(window, frame.steps), range: range)
        case .sameAs(let first): add(.outcome(of: first, sameAs: frame.steps), range: range)
        case .repeated(let count, let counter, let every):
            let repetition = Repetition(
                count: count, counter: counter, every: every, steps: frame.steps)
            add(.repeated(repetition), range: range)
        }
    }

    /// Reports the blocks that are still open at the end of the file.
    mutating func closeRemaining() {
        for frame in frames.dropFirst() {
            if case .broken = frame.kind { continue }
            list.add(
                error(
                    .unclosedBlock, "unclosed block", at: frame.range, label: "opened here"
                ).help("a block ends with a line that starts with `}`"))
        }
    }
}

extension Step {
    /// True if the step can be the first step of a `one of` block.
    fileprivate var isOutcome: Bool {
        switch kind {
        case .expect(let expectation): expectation.mode == .next || expectation.mode == .skip
        case .closed: true
        default: false
        }
    }
}
