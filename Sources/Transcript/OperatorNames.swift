public import Diagnostics
public import LineProtocol
import Scenario

/// Finds the name under which a client logs in: the value in the place where the dialect's `login` has
/// `{{name}}`.
public struct OperatorNames: Sendable {
    /// A place in one command: an argument by name, or a field by its number.
    private struct Place: Sendable {
        var command: String?
        var verb: [UInt8]
        var argument: String?
        var field: Int?
    }

    private let places: [Place]

    /// - Parameter source: the file that the dialect was read from.
    public init(_ dialect: Dialect, dialectSource source: SourceText) {
        guard let login = dialect.behaviours["login"] else {
            places = []
            return
        }
        let steps = ScenarioParser.parseFragment(
            Array(login.text.utf8), in: source, line: login.line, column: login.column
        ).steps
        let splitter = LineSplitter(dialect)
        places = steps.compactMap { step in
            guard case .send(let message) = step.kind else { return nil }
            switch message {
            case .typed(let call): return Self.place(call)
            case .wire(let template, _): return Self.place(template, splitter)
            case .raw: return nil
            }
        }
    }

    /// The name that a client's line logs in with, if it does.
    public func name(in line: RecordedLine) -> [UInt8]? {
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
    private static func place(_ template: Template, _ splitter: LineSplitter) -> Place? {
        let mark: UInt8 = 0x01
        var line: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): line += literal.bytes
            case .hole(let hole): line.append(isName(hole) ? mark : UInt8(ascii: "x"))
            }
        }
        var split = SplitLine()
        splitter.split(line.span, 0..<line.count, into: &split)
        let field = split.fields.firstIndex { Array(line[$0.value]) == [mark] }
        guard let field else { return nil }
        return Place(
            command: nil, verb: Array(line[split.verb]), argument: nil, field: field)
    }

    private static func isName(_ hole: Hole) -> Bool {
        hole.kind == .variable("name") || hole.kind == .variable("self")
    }
}
