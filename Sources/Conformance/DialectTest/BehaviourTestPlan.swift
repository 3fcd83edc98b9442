import DialectModel
import LineProtocol
import Results
import Scenario

/// The tests of a dialect's behaviours, in order.
struct BehaviourTestPlan {
    /// Names of added behaviours, each made from a part of another one.
    static let parts = (greeting: "login-greeting", ask: "probe-request")
    /// A pause in which the server can send lines that no step waits for.
    private static let pause = Step.wait(200_000_000)

    let bound: BoundDialect
    private let given: [String: [UInt8]]
    private let seed: UInt64
    /// How long to wait for the server's pings, in nanoseconds; nil not to wait.
    private let idle: Int64?
    private(set) var tests: [BehaviourTest] = []
    /// The behaviours that have a test or do not need a separate one.
    private(set) var covered: Set<String> = ["password"]

    init(_ dialect: BoundDialect, given: [String: [UInt8]], seed: UInt64, idle: Int64? = nil) {
        var bound = dialect
        if let login = bound["login"] {
            let greeting = Array(login.steps.prefix { $0.isRule || $0.awaited != nil })
            if greeting.contains(where: { $0.awaited != nil }) {
                bound = bound.adding(
                    Self.parts.greeting, parameters: login.parameters, steps: greeting)
            }
        }
        if let probe = bound["probe"] {
            bound = bound.adding(
                Self.parts.ask, steps: probe.steps.filter { $0.sent != nil })
        }
        self.bound = bound
        self.given = given
        self.seed = seed
        self.idle = idle
        addSession()
        addPairs()
        addFeatures()
        addModes()
        addOthers()
        addEnd()
    }

    func has(_ behaviours: String...) -> Bool { behaviours.allSatisfy { bound[$0] != nil } }

    /// Adds a test of behaviours.
    ///
    /// - Parameters:
    ///   - title: The title; nil for the names of the behaviours.
    ///   - write: Function that adds the scenario's steps.
    mutating func add(
        _ behaviours: String..., titled title: String? = nil,
        judgedBy judgement: BehaviourTest.Judgement = .scenario,
        write: (inout BehaviourScript) -> Void
    ) {
        let title = title ?? behaviours.joined(separator: ", ")
        covered.formUnion(behaviours)
        var script = BehaviourScript(bound, given: given, seed: seed, part: title)
        write(&script)
        var test = BehaviourTest(
            title: title, behaviours: behaviours, script: script, judgement: judgement)
        let missing = script.missingVariables
        if !missing.isEmpty {
            let options = missing.map { "--var \($0)=VALUE" }.joined(separator: " ")
            test.reason = "needs \(options)"
        }
        tests.append(test)
    }

    /// Marks behaviours as covered by the tests so far.
    mutating func cover(_ behaviours: [String]) { covered.formUnion(behaviours) }

    /// Adds a behaviour that cannot be tested, with the reason.
    mutating func addUntested(_ behaviour: String, _ reason: String) {
        covered.insert(behaviour)
        let script = BehaviourScript(bound, given: given, seed: seed, part: behaviour)
        tests.append(
            BehaviourTest(
                title: behaviour, behaviours: [behaviour], script: script, reason: reason))
    }

    // MARK: Sessions

    private mutating func addSession() {
        add(titled: DialectTestResults.connect, judgedBy: .greeting) { script in
            script.step(.connect("alice"))
            if script.has(Self.parts.greeting) {
                script.use(Self.parts.greeting, as: "alice")
            } else {
                script.step(Self.pause)
            }
        }
        if has("password") { addUntested("password", "needs --var password=VALUE") }
        if has("login") { add("login") { $0.logIn("alice") } }
        if has("probe") {
            add("probe", judgedBy: .probe) { script in
                script.logIn("alice")
                script.use("probe", as: "alice")
                script.step(Self.pause)
            }
        }
        if has("probe-refused", "probe") {
            add("probe-refused") { script in
                script.step(.connect("alice"))
                script.use(Self.parts.ask, as: "alice")
                script.use("probe-refused", as: "alice")
            }
        }
        if has("survey") { add("survey") { $0.use("survey", as: "alice") } }
        if has("keepalive") {
            add("keepalive") { script in
                script.logIn("alice")
                script.use("keepalive", as: "alice")
                if script.has("probe") { script.use("probe", as: "alice") }
            }
        }
        if has("enter") {
            add("enter") { script in
                script.logIn("alice")
                script.enter("alice")
            }
        }
        if has("leave") {
            add("leave") { script in
                script.logIn("alice")
                script.enter("alice")
                script.use("leave", as: "alice")
            }
        }
        if has("remember", "recall") {
            add("remember", "recall") { script in
                script.logIn("alice")
                script.use("remember", as: "alice")
                script.use("recall", as: "alice")
            }
        }
    }

    // MARK: The end of sessions

    private mutating func addEnd() {
        if has("logout") {
            let closes = bound["logout"]?.steps.contains(where: \.endsConnection) == true
            add("logout", judgedBy: closes ? .scenario : .logout) { script in
                script.logIn("alice")
                script.use("logout", as: "alice")
                if !closes { script.step(Self.pause) }
            }
        }
        if bound["login"]?.uses(variable: "name") == true {
            add(titled: "second login", judgedBy: .secondLogin) { script in
                script.logIn("alice")
                script.step(.connect("bob"))
                script.use("login", as: "bob", ["name": script.name(of: "alice")])
            }
        }
        let idle = idle
        add(titled: "server pings", judgedBy: .pings) { script in
            script.logIn("alice")
            guard let idle else { return }
            script.fileTimeout = idle + 60_000_000_000
            Self.stayIdle(idle, &script)
            if script.has("probe") { script.use("probe", as: "alice") }
        }
    }

    /// Adds steps that wait this long, with keepalives if the dialect has them.
    private static func stayIdle(_ idle: Int64, _ script: inout BehaviourScript) {
        let interval = script.bound.dialect.timing.keepaliveInterval ?? 0
        guard script.has("keepalive"), interval > 0, interval < idle else {
            return script.step(.wait(idle))
        }
        let count = min(idle / interval, 10_000)
        let keepalive = script.using("keepalive", as: "alice")
        script.step(.repeated(Int(count), [.wait(interval), keepalive]))
        let rest = idle - count * interval
        if rest > 0 { script.step(.wait(rest)) }
    }
}

extension Step {
    /// True if the step ends the connection or waits for its end.
    fileprivate var endsConnection: Bool {
        switch kind {
        case .close, .abort, .closed: true
        default: false
        }
    }
}
