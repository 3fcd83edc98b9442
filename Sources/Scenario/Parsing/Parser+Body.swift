import Diagnostics

extension Parser {
    /// Parses a body statement that starts with a keyword.
    mutating func readBody(
        _ body: BodyWord, _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        let start = cursor.at - word.range.count
        switch body {
        case .on: try readStandingReply(start, &cursor)
        case .ignore:
            let pattern = try cursor.pattern([.payload], of: "`ignore`").pattern
            try addStep(.ignore(pattern), nil, start, &cursor)
        case .wait: try addStep(.wait(try cursor.duration()), nil, start, &cursor)
        case .think: try addStep(try think(&cursor), nil, start, &cursor)
        case .sync:
            let names = cursor.isDone ? [] : try actors(&cursor)
            try addStep(.sync(names), nil, start, &cursor)
        case .use: try addStep(.use(try use(&cursor)), nil, start, &cursor)
        case .name, .nick: try addStep(try nameFree(&cursor), nil, start, &cursor)
        case .any, .one, .repeat, .eventually, .outcome, .fragment:
            try openBlock(body, start, &cursor)
        }
    }

    private mutating func readStandingReply(
        _ start: Int, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        cursor.skipSpaces()
        let actor = cursor.name()
        if let actor, actor.text != "self", isReserved(actor.text) {
            throw Diagnosed(
                error(
                    .reservedName, "`\(actor.text)` is reserved and cannot be an operator name",
                    at: actor.range))
        }
        if let actor, actor.text == "self" { try requireFragment(actor) }
        cursor.skipSpaces()
        guard cursor.skip("<-") else {
            throw Diagnosed(
                error(
                    .missingArrow, "expected `<-`, found \(cursor.nextText)",
                    at: cursor.nextToken
                ).help("write a standing reply as: on <- PATTERN  reply -> TEXT"))
        }
        let (pattern, modifiers) = try cursor.pattern([.payload, .reply], of: "a standing reply")
        guard modifiers.hasReply else {
            throw Diagnosed(
                error(
                    .missingReply, "a standing reply needs a `reply` modifier",
                    at: cursor.range(from: start)
                ).help(
                    "append two spaces and `reply -> TEXT`, or use `ignore PATTERN` to discard such lines"
                ))
        }
        let message = try cursor.message(of: "a reply")
        try addStep(
            .standingReply(pattern, message), actor.map(Self.actor), start, &cursor)
    }

    /// Returns the actor that a word refers to.
    static func actor(_ name: Name) -> Actor {
        name.text == "self" ? .itself(NotCompared(wrappedValue: name.range)) : .named(name)
    }

    private func think(_ cursor: inout LineCursor) throws(Diagnosed) -> Step.Kind {
        cursor.skipSpaces()
        let window = try cursor.window(from: cursor.at)
        guard let minimum = window.earliest else {
            throw Diagnosed(
                error(.badDuration, "`think` needs a range", at: window.range)
                    .help("write `think 100ms..2s`, or `wait 100ms` for a fixed time"))
        }
        return .think(minimum: minimum, maximum: window.latest)
    }

    private func nameFree(_ cursor: inout LineCursor) throws(Diagnosed) -> Step.Kind {
        cursor.skipSpaces()
        let isString = cursor.peek() == UInt8(ascii: "\"")
        guard !cursor.isDone,
            let name = isString ? try cursor.string(.send) : try cursor.wordTemplate(.send)
        else { throw cursor.unexpected("a name") }
        cursor.skipSpaces()
        guard cursor.skipWord("free") else { throw cursor.unexpected("`free`") }
        return .nameFree(name, try cursor.within())
    }

    private func use(_ cursor: inout LineCursor) throws(Diagnosed) -> Use {
        cursor.skipSpaces()
        guard let name = cursor.name() else {
            throw cursor.unexpected("the name of a fragment or behaviour")
        }
        var operators: [Actor] = []
        cursor.skipSpaces()
        if cursor.skipWord("as") { operators = try actors(&cursor) }
        cursor.skipSpaces()
        let arguments = cursor.peek() == UInt8(ascii: "(") ? try cursor.arguments(.send) : []
        return Use(name: name, operators: operators, arguments: arguments)
    }

    /// Parses a comma-separated list of operators or `self`.
    private func actors(_ cursor: inout LineCursor) throws(Diagnosed) -> [Actor] {
        var actors: [Actor] = []
        for name in try cursor.names(of: "an operator") {
            if name.text == "self" { try requireFragment(name) }
            actors.append(Self.actor(name))
        }
        return actors
    }
}
