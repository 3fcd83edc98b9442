import DialectModel
import Diagnostics
import LineProtocol
import Scenario

extension Compilation {
    mutating func compileBlock(_ step: Step, _ context: CompileContext, _ origin: Origin) {
        switch step.kind {
        case .use(let use): compileUse(use, step, context)
        case .anyOrder(let steps): compileAnyOrder(steps, context, origin)
        case .oneOf(let blocks): compileChoices(blocks, context, origin)
        case .repeated(let repetition): compileRepetition(repetition, context, origin)
        case .eventually(let window, let steps):
            let begin = instructions.count
            let attempt = Attempt(
                kind: .eventually, window: TimeWindow(window), origin: origin)
            append(.beginEventually(attempt, end: 0), origin)
            compile(steps, context)
            append(.endEventually, origin)
            instructions[begin].operation = .beginEventually(attempt, end: instructions.count)
        case .outcome(let first, let second):
            compileComparison(of: first, with: second, context, origin)
        case .nameFree(let name, let window): compileNameFree(name, window, context, origin)
        default: break
        }
    }

    /// Compiles `outcome of`. The first block runs twice before the second block and, if the
    /// outcomes differ, again after it.
    private mutating func compileComparison(
        of first: [Step], with second: [Step], _ context: CompileContext, _ origin: Origin
    ) {
        var marks = [instructions.count]
        append(.comparisonMark(0, end: 0), origin)
        for (round, steps) in [first, first, second, first].enumerated() {
            var inner = context
            inner.scope = context.scope.child()
            compile(steps, inner)
            marks.append(instructions.count)
            append(.comparisonMark(round + 1, end: 0), origin)
        }
        for (round, mark) in marks.enumerated() {
            instructions[mark].operation = .comparisonMark(round, end: instructions.count)
        }
    }

    private mutating func compileRepetition(
        _ repetition: Repetition, _ context: CompileContext, _ origin: Origin
    ) {
        let counter = repetition.counter.map { context.scope.define($0.text) }
        let begin = instructions.count
        let every = repetition.every?.nanoseconds
        append(
            .beginRepeat(counter: counter, count: repetition.count, every: every, end: 0), origin)
        compile(repetition.steps, context)
        append(.endRepeat(begin: begin), origin)
        instructions[begin].operation = .beginRepeat(
            counter: counter, count: repetition.count, every: every, end: instructions.count)
    }

    private mutating func compileAnyOrder(
        _ steps: [Step], _ context: CompileContext, _ origin: Origin
    ) {
        var expectations: [UnorderedExpectation] = []
        for step in steps {
            guard case .expect(let expectation) = step.kind, let actor = actor(step, context),
                let pattern = lines.pattern(expectation.pattern, actor, context)
            else { continue }
            expectations.append(
                UnorderedExpectation(
                    operatorIndex: actor, mode: expectation.mode, pattern: pattern,
                    window: TimeWindow(expectation.window)))
        }
        append(.anyOrder(expectations), origin)
    }

    /// Compiles the blocks of `one of`. Variables that a block captures are not visible after the
    /// blocks, because only one block runs.
    private mutating func compileChoices(
        _ blocks: [[Step]], _ context: CompileContext, _ origin: Origin
    ) {
        let start = instructions.count
        append(.oneOf([], end: 0), origin)
        var choices: [Choice] = []
        var exits: [Int] = []
        for steps in blocks {
            var inner = context
            inner.scope = context.scope.child()
            guard let first = steps.first, let actor = actor(first, context),
                let (event, window) = event(first, actor, inner)
            else { continue }
            choices.append(
                Choice(
                    operatorIndex: actor, event: event, window: TimeWindow(window),
                    begin: instructions.count))
            compile(Array(steps.dropFirst()), inner)
            exits.append(instructions.count)
            append(.jump(0), origin)
        }
        for exit in exits { instructions[exit].operation = .jump(instructions.count) }
        instructions[start].operation = .oneOf(choices, end: instructions.count)
    }

    private mutating func event(
        _ step: Step, _ actor: Int, _ context: CompileContext
    ) -> (Choice.Event, Window?)? {
        switch step.kind {
        case .expect(let expectation):
            guard let pattern = lines.pattern(expectation.pattern, actor, context) else {
                return nil
            }
            return (.line(expectation.mode, pattern), expectation.window)
        case .closed(let manner, let window): return (.closed(manner), window)
        default: return nil
        }
    }

    // MARK: Fragments

    private mutating func compileUse(_ use: Use, _ step: Step, _ context: CompileContext) {
        guard let piece = piece(use.name, context) else { return }
        guard !uses.contains(use.name.text) else {
            report(
                "scenario.recursion", "`\(use.name.text)` uses itself", context.source,
                use.name.range)
            return
        }
        for actor in actors(use, step, context) {
            uses.append(use.name.text)
            compilePiece(piece, actor, use.arguments, use.name.range, context)
            uses.removeLast()
        }
    }

    /// Returns the operators that run a `use` step: the operators that it lists. If it lists none,
    /// returns the operator that runs the surrounding fragment or, outside fragments, all
    /// operators.
    private mutating func actors(_ use: Use, _ step: Step, _ context: CompileContext) -> [Int] {
        if use.operators.isEmpty {
            if let itself = context.itself { return [itself] }
            return operators.indices.filter { operators[$0] != Self.staleName }
        }
        return use.operators.compactMap { index(of: $0, context) }
    }

    /// The definition that a `use` step refers to: a fragment from the scenario or an included
    /// file, or a dialect behaviour.
    struct Piece {
        var name: String
        var parameters: [String]
        var steps: [Step]
        var isBehaviour: Bool
        /// The text that contains the steps.
        var source: SourceText
    }

    private mutating func piece(_ name: Name, _ context: CompileContext) -> Piece? {
        let own = file.fragments.first { $0.name.text == name.text }
        let found =
            own.map { IncludedFragment($0, source: file.source) }
            ?? file.included.first { $0.fragment.name.text == name.text }
        if let found {
            return Piece(
                name: name.text, parameters: found.fragment.parameters.map(\.text),
                steps: found.fragment.steps, isBehaviour: false, source: found.source)
        }
        if let behaviour = bound[name.text] { return piece(behaviour) }
        let fragments = file.fragments + file.included.map(\.fragment)
        let known = fragments.map(\.name.text) + bound.behaviours.keys.sorted()
        report(
            "scenario.unknown-fragment",
            "no fragment or behaviour `\(name.text)` in the scenario or the \(dialect.name) dialect",
            context.source, name.range,
            help: didYouMean(name.text, among: known).map { "did you mean `\($0)`?" }
                ?? "available: \(known.sorted().joined(separator: ", "))")
        return nil
    }

    func piece(_ behaviour: BoundBehaviour) -> Piece {
        Piece(
            name: behaviour.name, parameters: behaviour.parameters, steps: behaviour.steps,
            isBehaviour: true, source: bound.source)
    }

    private mutating func compilePiece(
        _ piece: Piece, _ actor: Int, _ arguments: [Argument], _ range: SourceRange,
        _ context: CompileContext
    ) {
        var inner = CompileContext(
            source: piece.source,
            scope: context.scope.child(
                operatorName: operators[actor], sharesCaptures: piece.isBehaviour),
            itself: actor,
            useSite: context.useSite ?? range, isBehaviour: piece.isBehaviour || context.isBehaviour
        )
        bindParameters(piece, actor, arguments, range, context, inner)
        if piece.isBehaviour { bindName(piece, actor, range, inner) }
        if piece.isBehaviour {
            let token = inner.scope.define("token")
            append(.fresh(token), origin(piece, inner, range))
        }
        inner.useSite = context.useSite ?? range
        compile(piece.steps, inner)
    }

    private func origin(_ piece: Piece, _ context: CompileContext, _ range: SourceRange) -> Origin {
        Origin(
            source: file.source, range: context.useSite ?? range, citation: nil, useSite: nil,
            failsOnReject: false, step: step)
    }

    /// Sets the `name` variable, available in every behaviour, to the operator's login name.
    private mutating func bindName(
        _ piece: Piece, _ actor: Int, _ range: SourceRange, _ inner: CompileContext
    ) {
        let origin = origin(piece, inner, range)
        if piece.parameters.contains("name"), let variable = inner.scope.variable("name") {
            append(.loginName(actor, variable), origin)
        } else {
            let value = MessageTemplate.Bytes(elements: [.loginName(actor)])
            append(.bind([(inner.scope.define("name"), value)]), origin)
        }
    }

    private mutating func bindParameters(
        _ piece: Piece, _ actor: Int, _ arguments: [Argument], _ range: SourceRange,
        _ context: CompileContext, _ inner: CompileContext
    ) {
        reportArguments(piece, arguments, range, context)
        var bindings: [(variable: Int, value: MessageTemplate.Bytes)] = []
        for parameter in piece.parameters {
            let value: MessageTemplate.Bytes?
            if let argument = arguments.first(where: { $0.name.text == parameter }) {
                value = lines.bytes(argument.value, actor, context)
            } else if parameter == "name" {
                // By default, operators log in with their name in the scenario.
                value = MessageTemplate.Bytes(elements: [.literal(Array(operators[actor].utf8))])
            } else {
                value = nil
            }
            let variable = inner.scope.define(parameter)
            if let value { bindings.append((variable, value)) }
        }
        if !bindings.isEmpty { append(.bind(bindings), origin(piece, inner, range)) }
    }

    /// Reports unknown and missing arguments. For each unknown argument, one missing argument is
    /// not reported, because the unknown one is probably a misspelling of it.
    private mutating func reportArguments(
        _ piece: Piece, _ arguments: [Argument], _ range: SourceRange, _ context: CompileContext
    ) {
        let given = arguments.map(\.name.text)
        let missing = piece.parameters.filter { !given.contains($0) && $0 != "name" }
        let unknown = arguments.filter { !piece.parameters.contains($0.name.text) }
        for argument in unknown {
            let free = piece.parameters.filter { !given.contains($0) }
            let guess = didYouMean(argument.name.text, among: free)
            report(
                "scenario.unknown-parameter",
                "`\(piece.name)` has no parameter `\(argument.name.text)`", context.source,
                argument.name.range,
                help: guess.map { "did you mean `\($0)`?" }
                    ?? (piece.parameters.isEmpty
                        ? "it has no parameters"
                        : "its parameters are: \(piece.parameters.joined(separator: ", "))"))
        }
        let lacking = missing.dropFirst(unknown.count)
        guard !lacking.isEmpty else { return }
        let values = lacking.map { "\($0): \"…\"" }.joined(separator: ", ")
        report(
            "scenario.missing-argument",
            "`\(piece.name)` needs values for: \(lacking.joined(separator: ", "))",
            context.source, range, help: "write: use \(piece.name) … (\(values))")
    }

    /// Name of the internal operator that tries to log in for `name X free`. It is not a valid
    /// operator name in a scenario.
    private static var staleName: String { "(staleSession)" }

    /// Compiles `name X free`: a new connection tries to log in with the name until that succeeds.
    private mutating func compileNameFree(
        _ name: Template, _ window: Window?, _ context: CompileContext, _ origin: Origin
    ) {
        guard let login = bound["login"] else {
            report(
                "scenario.no-login", "the \(dialect.name) dialect has no `login` behaviour",
                context.source, origin.range,
                help: "add one to the dialect, or write the login steps inside `eventually { … }`")
            return
        }
        guard let value = lines.bytes(name, nil, context, verbatim: true) else { return }
        let staleSession = operatorIndex(Self.staleName)
        let begin = instructions.count
        let attempt = Attempt(
            kind: .nameFree(value), window: TimeWindow(window), origin: origin)
        append(.beginEventually(attempt, end: 0), origin)
        let inner = CompileContext(
            source: bound.source,
            scope: context.scope.child(operatorName: Self.staleName, sharesCaptures: true),
            itself: staleSession,
            useSite: context.source.path == file.source.path ? origin.range : context.useSite,
            isBehaviour: true)
        var bindings: [(variable: Int, value: MessageTemplate.Bytes)] = []
        for parameter in login.parameters {
            let bytes = parameter == "name" ? value : MessageTemplate.Bytes(elements: [])
            bindings.append((inner.scope.define(parameter), bytes))
        }
        append(.bind(bindings), origin)
        if let variable = inner.scope.variable("name") {
            append(.loginName(staleSession, variable), origin)
        }
        append(.fresh(inner.scope.define("token")), origin)
        if !login.steps.contains(where: { $0.kind == .connect }) {
            append(.connect(staleSession), origin)
        }
        compile(login.steps, inner)
        append(.close(staleSession), origin)
        append(.endEventually, origin)
        instructions[begin].operation = .beginEventually(attempt, end: instructions.count)
    }
}
