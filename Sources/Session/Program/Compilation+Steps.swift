import DialectModel
import Diagnostics
import LineProtocol
import Scenario

extension Compilation {
    mutating func compile(_ steps: [Step], _ place: CompileContext) {
        for step in steps {
            guard instructions.count < Program.instructionsMax else { return }
            compile(step, place)
        }
    }

    private mutating func compile(_ step: Step, _ place: CompileContext) {
        let origin = origin(step, place)
        switch step.kind {
        case .send(let message):
            guard let actor = actor(step, place) else { return }
            guard let template = lines.template(message, actor, place) else { return }
            append(.send(actor, template), origin)
        case .expect(let expectation):
            guard let actor = actor(step, place),
                let pattern = lines.pattern(expectation.pattern, actor, place)
            else { return }
            append(
                .expect(actor, expectation.mode, pattern, TimeWindow(expectation.window)), origin)
        case .connect, .close, .halfClose, .abort, .pause, .resume, .closed, .quiet:
            guard let actor = actor(step, place) else { return }
            compileConnection(step, actor, origin)
        case .wait(let time):
            append(.wait(least: time.nanoseconds, most: time.nanoseconds), origin)
        case .think(let least, let most):
            append(.wait(least: least.nanoseconds, most: most.nanoseconds), origin)
        case .sync(let names):
            append(.sync(names.compactMap { index(of: $0, place) }), origin)
        case .standingReply(let pattern, let message):
            compileReply(step, pattern, message, place, origin)
        case .ignore(let pattern):
            compileIgnore(step, pattern, place, origin)
        case .nameFree, .use, .anyOrder, .repeated, .eventually, .outcome:
            compileBlock(step, place, origin)
        }
    }

    private mutating func compileConnection(_ step: Step, _ actor: Int, _ origin: Origin) {
        switch step.kind {
        case .connect: append(.connect(actor), origin)
        case .close: append(.close(actor), origin)
        case .halfClose: append(.halfClose(actor), origin)
        case .abort: append(.abort(actor), origin)
        case .pause: append(.setReading(actor, false), origin)
        case .resume: append(.setReading(actor, true), origin)
        case .closed(let manner, let window):
            append(.closed(actor, manner, TimeWindow(window)), origin)
        case .quiet(let window): append(.quiet(actor, TimeWindow(window)), origin)
        default: break
        }
    }

    private mutating func compileReply(
        _ step: Step, _ pattern: Pattern, _ message: Scenario.Message, _ place: CompileContext,
        _ origin: Origin
    ) {
        var inner = place
        inner.scope = ruleScope(place)
        let actor = step.actor == nil ? place.itself : self.actor(step, place)
        guard let linePattern = lines.pattern(pattern, actor, inner),
            let reply = lines.template(message, actor, inner)
        else { return }
        let rule = StandingRule(
            operatorIndex: actor, pattern: linePattern, reply: reply, isDialects: false,
            origin: origin)
        append(.standing(rule), origin)
    }

    private mutating func compileIgnore(
        _ step: Step, _ pattern: Pattern, _ place: CompileContext, _ origin: Origin
    ) {
        var inner = place
        inner.scope = ruleScope(place)
        let actor = step.actor == nil ? place.itself : self.actor(step, place)
        guard let linePattern = lines.pattern(pattern, actor, inner) else { return }
        let rule = StandingRule(
            operatorIndex: actor, pattern: linePattern, reply: nil, isDialects: false,
            origin: origin)
        append(.standing(rule), origin)
    }

    /// The scope of a standing rule: its placeholders capture anew for each line.
    private func ruleScope(_ place: CompileContext) -> Scope {
        let scope = place.scope.child(isRule: true)
        // A behaviour's own token is not the one that the server sends.
        scope.hide("token")
        return scope
    }

    mutating func append(_ operation: Operation, _ origin: Origin) {
        instructions.append(Instruction(operation: operation, origin: origin))
    }

    func origin(_ step: Step, _ place: CompileContext) -> Origin {
        Origin(
            source: place.source, range: step.range, citation: step.citation,
            useSite: place.useSite, failsOnReject: place.isBehaviour)
    }

    mutating func index(of actor: Actor, _ place: CompileContext) -> Int? {
        actor.name.map { operatorIndex($0) } ?? place.itself
    }

    /// The operator who carries out a step.
    mutating func actor(_ step: Step, _ place: CompileContext) -> Int? {
        switch step.actor {
        case .named(let name): return operatorIndex(name.text)
        case .itself(let range):
            if let itself = place.itself { return itself }
            report(
                "scenario.no-self", "self is nobody here", place.source, range.wrappedValue,
                help: "name an operator, or put the step into a fragment and use it as one")
        case nil:
            report(
                "scenario.no-operator", "this step needs an operator", place.source, step.range)
        }
        return nil
    }
}
