import LineProtocol
import Scenario

/// Finds the name under which a client logs in: the value in the place where the dialect's `login` has
/// `{{name}}`.
struct OperatorNames: Sendable {
    /// A place in one command: an argument by name, or a field by its number.
    private struct Place: Sendable {
        var command: String?
        var verb: [UInt8]
        var argument: String?
        var field: Int?
    }

    private let places: [Place]

    init(_ login: LoginSteps) {
        places = login.steps.compactMap { step in
            guard case .send(let message) = step.kind else { return nil }
            switch message {
            case .typed(let call): return Self.place(call)
            case .wire(let template, _): return Self.place(template, login)
            case .raw: return nil
            }
        }
    }

    /// The name that a client's line logs in with, if it does.
    func name(in line: RecordedLine) -> [UInt8]? {
        for place in places {
            if let command = place.command, let argument = place.argument {
                guard line.command == command else { continue }
                guard let field = line.fields.first(where: { $0.argument == argument }) else {
                    continue
                }
                return line.value(field)
            }
            guard place.command == nil, place.verb == line.verbBytes,
                let index = place.field, line.fields.indices.contains(index)
            else { continue }
            return line.value(line.fields[index])
        }
        return nil
    }

    private static func place(_ call: TypedCall) -> Place? {
        let argument = call.arguments.first { argument in
            guard case .hole(let hole) = argument.value.kind else { return false }
            return isName(hole)
        }
        guard let argument else { return nil }
        return Place(
            command: call.name.text, verb: [], argument: argument.name.text, field: nil)
    }

    /// The field that is nothing but the name.
    private static func place(_ template: Template, _ login: LoginSteps) -> Place? {
        let mark: UInt8 = 0x01
        let (line, split) = login.divided(template) { isName($0) ? mark : UInt8(ascii: "x") }
        let field = split.fields.firstIndex { Array(line[$0.value]) == [mark] }
        guard let field else { return nil }
        return Place(
            command: nil, verb: Array(line[split.verb]), argument: nil, field: field)
    }

    private static func isName(_ hole: Hole) -> Bool {
        hole.kind == .variable("name") || hole.kind == .variable("self")
    }
}
