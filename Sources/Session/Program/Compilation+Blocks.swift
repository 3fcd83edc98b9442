import DialectModel
import Diagnostics
import LineProtocol
import Scenario

extension Compilation {
    mutating func compileBlock(_ step: Step, _ place: CompileContext, _ origin: Origin) {
        switch step.kind {
        case .use(let use): compileUse(use, step, place)
        case .anyOrder(let steps): compileAnyOrder(steps, place, origin)
        case .repeated(let repetition): compileRepetition(repetition, place, origin)
        case .eventually(let window, let steps):
            let begin = instructions.count
            let attempt = Attempt(
                kind: .eventually, window: TimeWindow(window), origin: origin)
            append(.beginEventually(attempt, end: 0), origin)
            compile(steps, place)
            append(.endEventually, origin)
            instructions[begin].operation = .beginEventually(attempt, end: instructions.count)
        case .outcome(let first, let second):
            append(.twinMark(0), origin)
            for (round, steps) in [first, first, second].enumerated() {
                var inner = place
                inner.scope = place.scope.child()
                compile(steps, inner)
                append(.twinMark(round + 1), origin)
            }
        case .nameFree(let name, let window): compileNameFree(name, window, place, origin)
        default: break
        }
    }

    private mutating func compileRepetition(
        _ repetition: Repetition, _ place: CompileContext, _ origin: Origin
    ) {
        let counter = repetition.counter.map { place.scope.define($0.text) }
        let begin = instructions.count
        let every = repetition.every?.nanoseconds
        append(
            .beginRepeat(counter: counter, count: repetition.count, every: every, end: 0), origin)
        compile(repetition.steps, place)
        append(.endRepeat(begin: begin), origin)
        instructions[begin].operation = .beginRepeat(
            counter: counter, count: repetition.count, every: every, end: instructions.count)
    }

    private mutating func compileAnyOrder(
        _ steps: [Step], _ place: CompileContext, _ origin: Origin
    ) {
        var expectations: [UnorderedExpectation] = []
        for step in steps {
            guard case .expect(let expectation) = step.kind, let actor = actor(step, place),
                let pattern = lines.pattern(expectation.pattern, actor, place)
            else { continue }
            expectations.append(
                UnorderedExpectation(
                    operatorIndex: actor, mode: expectation.mode, pattern: pattern,
                    window: TimeWindow(expectation.window), origin: self.origin(step, place)))
        }
        append(.anyOrder(expectations), origin)
    }

    // MARK: Fragments

    private mutating func compileUse(_ use: Use, _ step: Step, _ place: CompileContext) {
        guard let piece = piece(use.name, place) else { return }
        guard !uses.contains(use.name.text) else {
            report(
                "scenario.recursion", "\(use.name.text) uses itself", place.source, use.name.range)
            return
        }
        for actor in actors(use, step, place) {
            uses.append(use.name.text)
            compilePiece(piece, actor, use.arguments, use.name.range, place)
            uses.removeLast()
        }
    }

    /// Who plays a `use`: those that it names; in a fragment whoever plays that; else everyone.
    private mutating func actors(_ use: Use, _ step: Step, _ place: CompileContext) -> [Int] {
        if use.operators.isEmpty {
            if let itself = place.itself { return [itself] }
            return operators.indices.filter { operators[$0] != Self.staleName }
        }
        return use.operators.compactMap { index(of: $0, place) }
    }

    /// A fragment of the scenario or a behaviour of the dialect.
    struct Piece {
        var name: String
        var parameters: [String]
        var steps: [Step]
        var isBehaviour: Bool
    }

    private mutating func piece(_ name: Name, _ place: CompileContext) -> Piece? {
        if let fragment = file.fragments.first(where: { $0.name.text == name.text }) {
            return Piece(
                name: name.text, parameters: fragment.parameters.map(\.text), steps: fragment.steps,
                isBehaviour: false)
        }
        if let behaviour = bound[name.text] { return piece(behaviour) }
        let known = file.fragments.map(\.name.text) + bound.behaviours.keys.sorted()
        report(
            "scenario.unknown-fragment",
            "there is no fragment or behaviour `\(name.text)` in the dialect \(dialect.name)",
            place.source, name.range,
            help: didYouMean(name.text, among: known).map { "did you mean `\($0)`?" }
                ?? "there are: \(known.sorted().joined(separator: ", "))")
        return nil
    }

    func piece(_ behaviour: BoundBehaviour) -> Piece {
        Piece(
            name: behaviour.name, parameters: behaviour.parameters, steps: behaviour.steps,
            isBehaviour: true)
    }

    private mutating func compilePiece(
        _ piece: Piece, _ actor: Int, _ arguments: [Argument], _ range: SourceRange,
        _ place: CompileContext
    ) {
        var inner = CompileContext(
            source: piece.isBehaviour ? bound.source : place.source,
            scope: place.scope.child(
                operatorName: operators[actor], sharesCaptures: piece.isBehaviour),
            itself: actor,
            useSite: place.useSite ?? range, isBehaviour: piece.isBehaviour || place.isBehaviour)
        bindParameters(piece, actor, arguments, range, place, inner)
        if piece.isBehaviour { bindName(piece, actor, range, inner) }
        if piece.isBehaviour {
            let token = inner.scope.define("token")
            append(.fresh(token), origin(piece, inner, range))
        }
        inner.useSite = place.useSite ?? range
        compile(piece.steps, inner)
    }

    private func origin(_ piece: Piece, _ place: CompileContext, _ range: SourceRange) -> Origin {
        Origin(
            source: file.source, range: place.useSite ?? range, citation: nil, useSite: nil,
            failsOnReject: false)
    }

    /// `name` is the name under which the operator logged in, in every behaviour.
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
        _ place: CompileContext, _ inner: CompileContext
    ) {
        reportArguments(piece, arguments, range, place)
        var bindings: [(variable: Int, value: MessageTemplate.Bytes)] = []
        for parameter in piece.parameters {
            let value: MessageTemplate.Bytes?
            if let argument = arguments.first(where: { $0.name.text == parameter }) {
                value = lines.bytes(argument.value, actor, place)
            } else if parameter == "name" {
                // Whoever logs in does so under the name that the scenario gives it.
                value = MessageTemplate.Bytes(elements: [.literal(Array(operators[actor].utf8))])
            } else {
                value = nil
            }
            let variable = inner.scope.define(parameter)
            if let value { bindings.append((variable, value)) }
        }
        if !bindings.isEmpty { append(.bind(bindings), origin(piece, inner, range)) }
    }

    /// Says which arguments a piece does not know, or else which it lacks: a misspelt one is one mistake.
    private mutating func reportArguments(
        _ piece: Piece, _ arguments: [Argument], _ range: SourceRange, _ place: CompileContext
    ) {
        let given = arguments.map(\.name.text)
        let missing = piece.parameters.filter { !given.contains($0) && $0 != "name" }
        let unknown = arguments.filter { !piece.parameters.contains($0.name.text) }
        for argument in unknown {
            let free = piece.parameters.filter { !given.contains($0) }
            let guess = didYouMean(argument.name.text, among: free)
            report(
                "scenario.unknown-parameter",
                "`\(piece.name)` has no parameter `\(argument.name.text)`", place.source,
                argument.name.range,
                help: guess.map { "did you mean `\($0)`?" }
                    ?? (piece.parameters.isEmpty
                        ? "it has none" : "it has: \(piece.parameters.joined(separator: ", "))"))
        }
        let lacking = missing.dropFirst(unknown.count)
        guard !lacking.isEmpty else { return }
        let values = lacking.map { "\($0): \"…\"" }.joined(separator: ", ")
        report(
            "scenario.missing-argument",
            "`\(piece.name)` needs a value for \(lacking.joined(separator: " and "))",
            place.source, range, help: "write use \(piece.name) … (\(values))")
    }

    /// The operator that tries a name; no scenario can write it.
    private static var staleName: String { "(staleSession)" }

    /// `name X free`: a new connection logs in under the name, tried again until it can.
    private mutating func compileNameFree(
        _ name: Template, _ window: Window?, _ place: CompileContext, _ origin: Origin
    ) {
        guard let login = bound["login"] else {
            report(
                "scenario.no-login", "the dialect \(dialect.name) has no behaviour login",
                place.source, origin.range,
                help: "add one to the dialect, or write the steps of a login with eventually { … }")
            return
        }
        guard let value = lines.bytes(name, nil, place, verbatim: true) else { return }
        let staleSession = operatorIndex(Self.staleName)
        let begin = instructions.count
        let attempt = Attempt(
            kind: .nameFree(value), window: TimeWindow(window), origin: origin)
        append(.beginEventually(attempt, end: 0), origin)
        let inner = CompileContext(
            source: bound.source,
            scope: place.scope.child(operatorName: Self.staleName, sharesCaptures: true),
            itself: staleSession,
            useSite: origin.range, isBehaviour: true)
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
