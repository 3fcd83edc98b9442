import Diagnostics

/// Writer that prints values of the syntax tree as text. Each function prints a value and returns
/// it with its ranges set to where it was printed.
struct ScenarioWriter {
    private(set) var text = ""
    /// Width of the column of operators.
    var actorWidth = 0
    /// The position where the text starts.
    private let base: Int

    init(at base: Int = 0) { self.base = base }

    /// The printed lines.
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// The position of the next byte.
    var end: Int { base + text.utf8.count }

    mutating func write(_ words: String) { text += words }

    func range(from start: Int) -> SourceRange { SourceRange(start: start, end: end) }

    /// Prints words and returns their range.
    mutating func written(_ words: String) -> SourceRange {
        let start = end
        write(words)
        return range(from: start)
    }

    mutating func name(_ name: Name) -> Name { Name(name.text, range: written(name.text)) }

    /// Prints items with commas between them.
    mutating func list<Item>(_ items: [Item], _ print: (inout Self, Item) -> Item) -> [Item] {
        var printed: [Item] = []
        for item in items {
            if !printed.isEmpty { write(", ") }
            printed.append(print(&self, item))
        }
        return printed
    }

    mutating func names(_ names: [Name]) -> [Name] { list(names) { $0.name($1) } }

    // MARK: Steps

    /// Prints steps, one line each; the contents of blocks are indented.
    mutating func steps(_ steps: [Step], indent: Int = 0) -> [Step] {
        steps.map { step in
            margin(indent)
            let printed = self.step(step, indent)
            write("\n")
            return printed
        }
    }

    mutating func fragment(_ fragment: Fragment) -> Fragment {
        var copy = fragment
        let start = end
        write("fragment ")
        copy.name = name(fragment.name)
        if !fragment.parameters.isEmpty {
            write("(")
            copy.parameters = names(fragment.parameters)
            write(")")
        }
        write(" {\n")
        copy.steps = steps(fragment.steps, indent: 4)
        write("}")
        copy.range = range(from: start)
        write("\n")
        return copy
    }

    private mutating func margin(_ indent: Int) { write(String(repeating: " ", count: indent)) }

    private mutating func step(_ step: Step, _ indent: Int) -> Step {
        var copy = step
        let start = end
        switch step.actor {
        case .named(let name) where !step.isStandingReply:
            copy.actor = .named(self.name(name))
            write(String(repeating: " ", count: max(0, actorWidth - displayWidth(name.text)) + 1))
        case .itself where !step.isStandingReply:
            copy.actor = .itself(NotCompared(wrappedValue: range(from: end)))
        default: break
        }
        copy = statement(copy, indent)
        copy.range = range(from: start)
        return copy
    }

    /// Prints a step without its actor.
    mutating func statement(_ step: Step, _ indent: Int = 0) -> Step {
        var copy = step
        switch step.kind {
        case .send(let message):
            write("-> ")
            copy.kind = .send(self.message(message))
        case .expect(let expectation): copy.kind = .expect(self.expectation(expectation))
        case .connect: write("connect")
        case .close: write("close")
        case .halfClose: write("half-close")
        case .abort: write("abort")
        case .pause: write("pause")
        case .resume: write("resume")
        case .startTLS: write("starttls")
        case .closed(let manner, let window):
            write("closed" + (manner.map { " by \($0.rawValue)" } ?? ""))
            copy.kind = .closed(by: manner, clause(window))
        case .quiet(let window):
            write("quiet")
            copy.kind = .quiet(for: clause(window, "for"))
        case .nameFree(let name, let window):
            write("name ")
            let name = string(name)
            write(" free")
            copy.kind = .nameFree(name, clause(window))
        case .wait(let time):
            write("wait ")
            copy.kind = .wait(duration(time))
        case .think(let minimum, let maximum):
            write("think ")
            let minimum = duration(minimum)
            write("..")
            copy.kind = .think(minimum: minimum, maximum: duration(maximum))
        case .sync(let actors):
            write("sync" + (actors.isEmpty ? "" : " "))
            copy.kind = .sync(self.actors(actors))
        case .use(let use): copy.kind = .use(self.use(use))
        case .standingReply: copy = standingReply(step)
        case .ignore(let pattern):
            write("ignore ")
            copy.kind = .ignore(self.pattern(pattern))
        case .anyOrder, .oneOf, .repeated, .eventually, .outcome:
            copy.kind = block(step.kind, indent)
        }
        return copy
    }

    private mutating func expectation(_ expectation: Expectation) -> Expectation {
        var copy = expectation
        write("\(expectation.mode.rawValue) ")
        copy.pattern = pattern(expectation.pattern)
        // Without two spaces, the words would be part of the line.
        copy.window = clause(
            expectation.window, expectation.mode == .never ? "for" : "within", after: "  ")
        return copy
    }

    private mutating func standingReply(_ step: Step) -> Step {
        guard case .standingReply(let pattern, let message) = step.kind else { return step }
        var copy = step
        write("on ")
        if case .named(let name) = step.actor {
            copy.actor = .named(self.name(name))
            write(" ")
        }
        write("<- ")
        let printed = self.pattern(pattern)
        write("  reply -> ")
        copy.kind = .standingReply(printed, self.message(message))
        return copy
    }

    private mutating func use(_ use: Use) -> Use {
        var copy = use
        write("use ")
        copy.name = name(use.name)
        if !use.operators.isEmpty {
            write(" as ")
            copy.operators = actors(use.operators)
        }
        if !use.arguments.isEmpty {
            write(" ")
            copy.arguments = arguments(use.arguments)
        }
        return copy
    }

    private mutating func actors(_ actors: [Actor]) -> [Actor] {
        list(actors) { writer, actor in
            switch actor {
            case .named(let name): .named(writer.name(name))
            case .itself: .itself(NotCompared(wrappedValue: writer.written("self")))
            }
        }
    }

    // MARK: Blocks

    private mutating func block(_ kind: Step.Kind, _ indent: Int) -> Step.Kind {
        switch kind {
        case .anyOrder(let steps):
            write("any order ")
            return .anyOrder(braces(steps, indent))
        case .oneOf(let blocks):
            write("one of ")
            var printed: [[Step]] = []
            for steps in blocks {
                if !printed.isEmpty { write(" or ") }
                printed.append(braces(steps, indent))
            }
            return .oneOf(printed)
        case .eventually(let window, let steps):
            write("eventually ")
            let window = window.map { self.window($0, "within") }
            if window != nil { write(" ") }
            return .eventually(window, braces(steps, indent))
        case .repeated(var repetition):
            write("repeat \(repetition.count) ")
            if let counter = repetition.counter {
                write("as ")
                repetition.counter = name(counter)
                write(" ")
            }
            if let every = repetition.every {
                write("every ")
                repetition.every = duration(every)
                write(" ")
            }
            repetition.steps = braces(repetition.steps, indent)
            return .repeated(repetition)
        case .outcome(let first, let second):
            write("outcome of ")
            let first = braces(first, indent)
            write(" same as ")
            return .outcome(of: first, sameAs: braces(second, indent))
        default: return kind
        }
    }

    private mutating func braces(_ steps: [Step], _ indent: Int) -> [Step] {
        write("{\n")
        let printed = self.steps(steps, indent: indent + 4)
        margin(indent)
        write("}")
        return printed
    }

    // MARK: Times

    /// Prints a time clause, separated from the text before it.
    private mutating func clause(
        _ window: Window?, _ word: String = "within", after gap: String = " "
    ) -> Window? {
        guard let window else { return nil }
        write(gap)
        return self.window(window, word)
    }

    private mutating func window(_ window: Window, _ word: String) -> Window {
        var copy = window
        let start = end
        write("\(word) ")
        if let earliest = window.earliest {
            copy.earliest = duration(earliest)
            write("..")
        }
        copy.latest = duration(window.latest)
        copy.range = range(from: start)
        return copy
    }

    /// Prints a duration in the largest unit that needs no fraction.
    mutating func duration(_ time: DurationLiteral) -> DurationLiteral {
        let units = [DurationLiteral.Unit.seconds, .milliseconds]
        let unit =
            units.first { time.nanoseconds % $0.nanoseconds == 0 }
            ?? DurationLiteral.Unit.microseconds
        let range = written("\(time.nanoseconds / unit.nanoseconds)\(unit.rawValue)")
        return DurationLiteral(nanoseconds: time.nanoseconds, range: range)
    }
}

extension Step {
    /// True if the step's actor is printed after the keyword `on`.
    fileprivate var isStandingReply: Bool {
        if case .standingReply = kind { true } else { false }
    }
}
