import DialectModel
import Diagnostics
import LineProtocol
import Scenario
import Session

/// A compiler that turns a dialect's behaviours into the parts of an operator script.
struct OperatorScriptCompiler {
    let bound: BoundDialect
    let lines: LineCompiler
    private var dialect: Dialect { bound.dialect }

    init(
        _ bound: BoundDialect, widths: SlotWidths, variables: [String: [UInt8]] = [:]
    ) {
        self.bound = bound
        lines = LineCompiler(dialect: bound.dialect, widths: widths, variables: variables)
    }

    /// Name of the setup session's variable for the operator's name.
    static let nameVariable = "nick"
    static let roomVariable = "hall"
    /// Name of the operator in the setup session.
    static let actor = "op"
    private static let connect = "operators \(actor)\n\(actor) connect\n"

    /// Compiles the program that connects an operator and enters its room.
    func setup() throws -> Program {
        var text = Self.connect
        if let login = bound["login"] {
            let given =
                login.takes("name") ? " (name: {{\(Self.nameVariable)}})" : ""
            text += "use login as \(Self.actor)\(given)\n"
        }
        if let enter = bound["enter"] {
            let given =
                enter.takes("room") ? " (room: {{\(Self.roomVariable)}})" : ""
            text += "use enter as \(Self.actor)\(given)\n"
        }
        let setup = try program(text)
        if setup.startsTLS {
            throw OperatorScriptError(
                .unsuitableBehaviour, "the login of \(dialect.name) starts TLS",
                help: "a load test cannot start TLS on an open connection; use a server that "
                    + "expects TLS from the start: --server tls://HOST:PORT")
        }
        return setup
    }

    /// Compiles a setup that only connects.
    func bareSetup() throws -> Program { try program(Self.connect) }

    private func program(_ text: String) throws -> Program {
        let file = try ScenarioParser.file(
            from: SourceText(path: "<load>", bytes: Array(text.utf8)))
        return try ProgramCompiler.compile(
            file, with: bound,
            given: Set([Self.nameVariable, Self.roomVariable]).union(lines.variables.keys))
    }

    /// Send templates, rules and errors of all actions.
    struct Actions {
        var sends: [LoadAction: SendTemplate] = [:]
        var commands: [LoadAction: String] = [:]
        var rules = MatchRules()
        var probeHasToken = false
        var probeAnswers = 0
        /// Reasons why actions cannot be used, by action.
        var unsuitable: [LoadAction: OperatorScriptError] = [:]
    }

    func actions() throws -> Actions {
        var result = Actions()
        try addProbe(to: &result)
        for (action, name, purpose) in [
            (LoadAction.relay, "arrival", MatchRules.Purpose.arrival),
            (.say, "heard", .roomMessage),
        ] {
            do {
                try addExchange(action, deliveredBy: name, purpose, to: &result)
            } catch let error as OperatorScriptError {
                result.unsuitable[action] = error
            }
        }
        if let keepalive = try steps("keepalive") {
            result.sends[.keepalive] = try template(keepalive, "keepalive")
        }
        try addStandingRules(to: &result)
        for pattern in bound.rejects {
            var names = CaptureNames()
            let rule = try lines.rule(pattern, &names)
            result.rules.add(rule, for: .reject)
        }
        result.rules.seal(dialect)
        return result
    }

    private func addProbe(to result: inout Actions) throws {
        guard let steps = try steps("probe") else { return }
        let template = try template(steps, "probe")
        result.sends[.probe] = template
        var answered = true
        for step in steps {
            guard case .expect(let expectation) = step.kind else { continue }
            var names = CaptureNames()
            let rule = try lines.rule(expectation.pattern, &names)
            if !rule.elements.contains(.slot(.token)) { answered = false }
            result.rules.add(rule, for: .answer(result.probeAnswers))
            result.probeAnswers += 1
        }
        result.probeHasToken = answered && template.slots.contains(.token)
        result.commands[.probe] = commands(sent: steps, received: steps)
    }

    /// Adds the behaviours that send and receive a message. Both are needed to verify delivery.
    private func addExchange(
        _ action: LoadAction, deliveredBy name: String, _ purpose: MatchRules.Purpose,
        to result: inout Actions
    ) throws {
        guard let steps = try steps(action.name), let delivery = try self.steps(name) else {
            return
        }
        let template = try template(steps, action.name)
        guard template.slots.contains(.text) else {
            throw OperatorScriptError(
                .unsuitableBehaviour, "the \(action.name) behaviour does not send its {{text}}")
        }
        for step in delivery {
            guard case .expect(let expectation) = step.kind else { continue }
            var names = CaptureNames()
            let rule = try lines.rule(expectation.pattern, &names)
            guard rule.elements.contains(.slot(.text)) else { continue }
            result.sends[action] = template
            result.rules.add(rule, for: purpose)
            result.commands[action] = commands(sent: steps, received: [step])
            return
        }
        throw OperatorScriptError(
            .unsuitableBehaviour, "the \(name) behaviour does not capture {{text}}")
    }

    private func addStandingRules(to result: inout Actions) throws {
        for name in ["login", "enter"] {
            for step in try steps(name) ?? [] {
                guard case .standingReply(let pattern, let message) = step.kind else { continue }
                var names = CaptureNames(capturesAll: true)
                let rule = try lines.rule(pattern, &names)
                let reply = try lines.reply(message, names)
                result.rules.add(rule, for: .standing(reply))
            }
        }
    }

    /// The compiled logout behaviour.
    struct Logout {
        var template = SendTemplate()
        var halfCloses = false
    }

    func logout() throws -> Logout {
        var result = Logout()
        for step in try steps("logout") ?? [] {
            switch step.kind {
            case .send(let message): result.template.append(try lines.template(message))
            case .halfClose: result.halfCloses = true
            default: break
            }
        }
        return result
    }

    // MARK: Behaviours

    private func steps(_ name: String) throws -> [Step]? { try bound.checked()[name]?.steps }

    /// Encodes all lines sent by a behaviour as one template.
    private func template(_ steps: [Step], _ name: String) throws -> SendTemplate {
        var result = SendTemplate()
        for step in steps {
            switch step.kind {
            case .send(let message): result.append(try lines.template(message))
            case .expect: break
            default:
                throw OperatorScriptError(
                    .unsuitableBehaviour,
                    "the `\(name)` behaviour of \(dialect.name) contains steps other than sends and "
                        + "expectations",
                    help: "a load test supports only -> and <~ in this behaviour")
            }
        }
        return result
    }

    /// Returns the commands sent and received by an action, such as `sendMessage → didReceive`, or
    /// the first words of its lines.
    private func commands(sent: [Step], received: [Step]) -> String {
        let first = sent.compactMap { step -> String? in
            if case .send(let message) = step.kind { lines.command(of: message) } else { nil }
        }.first
        let second = received.compactMap { step -> String? in
            guard case .expect(let expectation) = step.kind else { return nil }
            return lines.command(of: expectation.pattern)
        }.first
        return [first, second].compactMap(\.self).joined(separator: " → ")
    }
}

/// The capture slots assigned to a standing rule's variables.
struct CaptureNames {
    /// True if every variable except the operator's name is captured.
    var capturesAll = false
    private(set) var names: [String] = []

    init(capturesAll: Bool = false) { self.capturesAll = capturesAll }

    /// Returns the slot that captures a variable; nil if its value is not needed.
    mutating func slot(_ variable: String) -> Slot? {
        guard capturesAll else { return Slot(variable: variable) }
        if variable == "name" || variable == "self" { return .name }
        if let index = names.firstIndex(of: variable) { return Slot.capture(index) }
        guard names.count < Slot.capturesMax else { return nil }
        names.append(variable)
        return Slot.capture(names.count - 1)
    }

    /// Returns the slot with a variable's value in a reply; nil if the value is unknown.
    func known(_ variable: String) -> Slot? {
        if variable == "name" || variable == "self" { return .name }
        return names.firstIndex(of: variable).flatMap { Slot.capture($0) }
    }
}
