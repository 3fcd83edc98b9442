import DialectModel
import Diagnostics
import LineProtocol
import Scenario

extension Compilation {
    mutating func compile(_ steps: [Step], _ context: CompileContext) {
        for step in steps {
            guard instructions.count < Program.instructionsMax else { return }
            compile(step, context)
        }
    }

    private mutating func compile(_ step: Step, _ context: CompileContext) {
        let origin = origin(step, context)
        switch step.kind {
        case .send(let message):
            guard let actor = actor(step, context) else { return }
            guard let template = lines.template(message, actor, context) else { return }
            append(.send(actor, template), origin)
        case .expect(let expectation):
            guard let actor = actor(step, context),
                let pattern = lines.pattern(expectation.pattern, actor, context)
            else { return }
            append(
                .expect(actor, expectation.mode, pattern, TimeWindow(expectation.window)), origin)
        case .connect, .close, .halfClose, .abort, .pause, .resume, .startTLS, .closed, .quiet:
            guard let actor = actor(step, context) else { return }
            compileConnection(step, actor, origin)
        case .wait(let time):
            append(.wait(minimum: time.nanoseconds, maximum: time.nanoseconds), origin)
        case .think(let minimum, let maximum):
            append(.wait(minimum: minimum.nanoseconds, maximum: maximum.nanoseconds), origin)
        case .sync(let names):
            append(.sync(names.compactMap { index(of: $0, context) }), origin)
        case .standingReply(let pattern, let message):
            compileReply(step, pattern, message, context, origin)
        case .ignore(let pattern):
            compileIgnore(step, pattern, context, origin)
        case .nameFree, .use, .anyOrder, .oneOf, .repeated, .eventually, .outcome:
            compileBlock(step, context, origin)
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
        case .startTLS: append(.startTLS(actor), origin)
        case .closed(let manner, let window):
            append(.closed(actor, manner, TimeWindow(window)), origin)
        case .quiet(let window): append(.quiet(actor, TimeWindow(window)), origin)
        default: break
        }
    }

    private mutating func compileReply(
        _ step: Step, _ pattern: Pattern, _ message: StepMessage, _ context: CompileContext,
        _ origin: Origin
    ) {
        var inner = context
        inner.scope = ruleScope(context)
        let actor = step.actor == nil ? context.itself : self.actor(step, context)
        guard let linePattern = lines.pattern(pattern, actor, inner),
            let reply = lines.template(message, actor, inner)
        else { return }
        let rule = StandingRule(
            operatorIndex: actor, pattern: linePattern, reply: reply, isDialects: false,
            origin: origin)
        append(.standing(rule), origin)
    }

    private mutating func compileIgnore(
        _ step: Step, _ pattern: Pattern, _ context: CompileContext, _ origin: Origin
    ) {
        var inner = context
        inner.scope = ruleScope(context)
        let actor = step.actor == nil ? context.itself : self.actor(step, context)
        guard let linePattern = lines.pattern(pattern, actor, inner) else { return }
        let rule = StandingRule(
            operatorIndex: actor, pattern: linePattern, reply: nil, isDialects: false,
            origin: origin)
        append(.standing(rule), origin)
    }

    /// Returns the scope of a standing rule, whose placeholders capture new values for each line.
    private func ruleScope(_ context: CompileContext) -> Scope {
        let scope = context.scope.child(isRule: true)
        // A token in a line from the server is not the token that the behaviour sends in its
        // requests.
        scope.hide("token")
        return scope
    }

    mutating func append(_ operation: Operation, _ origin: Origin) {
        instructions.append(Instruction(operation: operation, origin: origin))
    }

    func origin(_ step: Step, _ context: CompileContext) -> Origin {
        Origin(
            source: context.source, range: step.range, citation: step.citation,
            useSite: context.useSite, failsOnReject: context.isBehaviour, step: self.step)
    }

    mutating func index(of actor: Actor, _ context: CompileContext) -> Int? {
        actor.name.map { operatorIndex($0) } ?? context.itself
    }

    /// Returns the operator that runs a step. Reports an error and returns nil if there is none.
    mutating func actor(_ step: Step, _ context: CompileContext) -> Int? {
        switch step.actor {
        case .named(let name): return operatorIndex(name.text)
        case .itself(let range):
            if let itself = context.itself { return itself }
            report(
                "scenario.no-self", "`self` is only valid in a fragment or behaviour",
                context.source, range.wrappedValue,
                help: "add an operator, or move the step into a fragment")
        case nil:
            report(
                "scenario.no-operator", "this step needs an operator", context.source, step.range)
        }
        return nil
    }
}
