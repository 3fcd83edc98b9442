import DialectModel
import LineProtocol
import Scenario

/// A builder for the scenario that tests a behaviour.
struct BehaviourScript: Sendable {
    /// A feature that no server supports.
    private static let unknownFeature = "linejudge.test/unknown"

    let bound: BoundDialect
    /// Values of variables that the user has set.
    private let given: [String: [UInt8]]
    /// A random word, which also makes names different in each test.
    let word: String
    /// The room: the value of the variable `room` or, by default, a random number.
    private let room: [UInt8]
    /// Handles of the operators, in the order in which they connected.
    private(set) var handles: [String] = []
    private(set) var steps: [Step] = []
    /// The behaviours in the order of their use.
    private(set) var used: [String] = []
    /// Parameters without a value.
    private var missingParameters: [String] = []
    /// Time limit for the scenario, in nanoseconds; nil for the default.
    var fileTimeout: Int64?

    init(_ bound: BoundDialect, given: [String: [UInt8]], seed: UInt64, part: String) {
        self.bound = bound
        self.given = given
        var random = SeededRandom(seed: seed, part: part)
        word = random.word()
        room = given["room"] ?? Array(String(random.room()).utf8)
    }

    /// Returns an operator's login name: its handle with random letters, at most nine characters
    /// long. Without a login, it is only the handle.
    func name(of handle: String) -> String {
        bound["login"] == nil ? handle : handle + word.suffix(4)
    }

    func has(_ behaviours: String...) -> Bool { behaviours.allSatisfy { bound[$0] != nil } }

    // MARK: Steps

    mutating func step(_ step: Step) { steps.append(step) }

    /// Adds clients that connect and, if the dialect has a login, log in.
    mutating func logIn(_ handles: String...) {
        for handle in handles {
            self.handles.append(handle)
            if bound["login"] == nil {
                step(.connect(handle))
            } else {
                use("login", as: handle)
            }
        }
        // Otherwise, a message could be sent before the server knows its recipient.
        if self.handles.count > 1 { waitUnlessAnswered("login") }
    }

    /// Adds steps in which clients enter the room, if the dialect has rooms to enter.
    mutating func enter(_ handles: String...) {
        guard bound["enter"] != nil else { return }
        for handle in handles { use("enter", as: handle) }
        waitUnlessAnswered("enter")
    }

    /// Adds a step that waits until the server has carried out what was sent before, unless the
    /// behaviour itself waits for an answer.
    private mutating func waitUnlessAnswered(_ behaviour: String) {
        if bound[behaviour]?.steps.contains(where: { $0.awaited != nil }) == true { return }
        step(has("probe") ? .sync() : .wait(200_000_000))
    }

    /// Adds a step in which an operator runs a behaviour.
    ///
    /// - Parameter values: Values of parameters that differ from the defaults.
    mutating func use(_ behaviour: String, as handle: String, _ values: [String: String] = [:]) {
        step(using(behaviour, as: handle, values))
    }

    /// Returns a step in which an operator runs a behaviour.
    mutating func using(
        _ behaviour: String, as handle: String, _ values: [String: String] = [:]
    ) -> Step {
        used.append(behaviour)
        var arguments: [Argument] = []
        for parameter in bound[behaviour]?.parameters ?? [] {
            let value =
                values[parameter].map { Array($0.utf8) } ?? value(of: parameter, for: handle)
            if value == nil { missingParameters.append(parameter) }
            arguments.append(Argument(parameter, Self.literal(value ?? [])))
        }
        return .use(behaviour, as: handle, arguments)
    }

    /// Returns the value of a parameter; nil if it is unknown.
    private func value(of parameter: String, for handle: String) -> [UInt8]? {
        let text: String
        switch parameter {
        case "name": text = name(of: handle)
        case "from": text = name(of: "alice")
        case "to": text = name(of: "bob")
        case "text": text = word
        case "room": return room
        case _ where given[parameter] != nil: return given[parameter]
        case "user": text = name(of: "bob")
        case "guest": text = name(of: "erin")
        case "value": text = word
        case "mask": text = "\(word)!*@*"
        case "feature": text = Self.unknownFeature
        default: return nil
        }
        return Array(text.utf8)
    }

    private static func literal(_ value: [UInt8]) -> Value {
        let isNumber = (1...18).contains(value.count) && value.allSatisfy { $0 &- 0x30 < 10 }
        guard isNumber, value.count == 1 || value[0] != 0x30,
            let number = Int(String(decoding: value, as: UTF8.self))
        else { return .bytes(value) }
        return .int(number)
    }

    /// Returns whether a behaviour can send this text. It cannot if the dialect has no escape for
    /// one of the bytes.
    func canSend(_ text: String, with behaviour: String) -> Bool {
        guard let steps = bound[behaviour]?.steps else { return false }
        let values = ["text": Array(text.utf8), "room": room, "to": Array("bob".utf8)]
        return bound.bytes(sending: steps, values, name: Array("alice".utf8)) != nil
    }

    // MARK: Scenario

    /// Returns the scenario.
    ///
    /// - Parameter path: Path for diagnostics.
    func scenario(path: String) -> ScenarioFile {
        var scenario = GeneratedScenario([GeneratedScenario.Section(steps)])
        scenario.header.dialect = Name(bound.dialect.name, range: .none)
        scenario.header.fileTimeout = fileTimeout.map {
            DurationLiteral(nanoseconds: $0, range: .none)
        }
        return scenario.printed(path: path)
    }

    /// The features that the server must support.
    var needs: [OfferedName] {
        used.compactMap { bound[$0] }.flatMap(\.needs).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// The variables that the user must set but has not.
    var missingVariables: [String] {
        var ordered: [String] = []
        for name in used where !ordered.contains(name) { ordered.append(name) }
        let all = missingParameters + bound.freeVariables(in: ordered)
        return all.reduce(into: []) {
            if given[$1] == nil, !$0.contains($1) { $0.append($1) }
        }
    }
}
