import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `arity.default` rule: omitting an argument has the same effect as sending its default.
enum ArityDefault: CheckFamily {
    static let ruleID = "arity.default"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments to omit")
        }
        let checks = subject.clientCommands.flatMap { signature, verb in
            DefaultLine.all(signature, verb, subject).map { line in
                CatalogueEntry.check(check(line, subject))
            }
        }
        return checks.isEmpty
            ? notApplicable("no argument of a client command has a default") : checks
    }

    private static func check(_ line: DefaultLine, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, line.name),
            "omitting \(line.name) is the same as sending \(line.shown)",
            setting: "arguments", in: subject
        ) { maker in
            var script =
                maker.subject.talk?.isOneLine == true
                ? maker.talkingScript("with and without the default value")
                : maker.script("with and without the default value")
            script.barrier("alice", role: .control)
            let room = script.room
            script.differentialPair(
                line.bytes(isWhole: true, room, maker.subject),
                line.bytes(isWhole: false, room, maker.subject), by: "alice")
            script.barrier("alice")
            return [script.made()]
        }
    }
}

/// A client line whose last argument has a default value, so that it can be sent with or without
/// that argument.
struct DefaultLine: Sendable {
    /// Name of the command and argument, such as `S0009.count`.
    var name: String
    /// The default value as shown in the check's requirement.
    var shown: String
    private var verb: [UInt8]
    private var before: [ArgumentSignature]
    private var argument: ArgumentSignature
    private var value: [UInt8]

    /// Returns a line for each argument of the command that has a default value and is written in
    /// the line.
    static func all(
        _ signature: CommandSignature, _ verb: [UInt8], _ subject: Subject
    ) -> [DefaultLine] {
        // Commands that log in or out must not be sent twice.
        guard signature.payloadArgument == nil,
            !subject.bound.sends(signature, in: ["login", "logout"])
        else { return [] }
        return signature.arguments.indices.compactMap { index in
            DefaultLine(signature, verb, index, subject)
        }
    }

    private init?(
        _ signature: CommandSignature, _ verb: [UInt8], _ index: Int, _ subject: Subject
    ) {
        let argument = signature.arguments[index]
        switch argument.position {
        case .field, .key: break
        default: return nil
        }
        guard let value = argument.defaultValue.flatMap({ Self.spelled($0, argument) }) else {
            return nil
        }
        self.argument = argument
        self.value = value
        self.verb = verb
        before = signature.arguments[..<index].filter { $0.position == .field || $0.isRequired }
        name = "\(String(decoding: verb, as: UTF8.self)).\(argument.name)"
        shown = value.isEmpty ? "an empty value" : "`\(String(decoding: value, as: UTF8.self))`"
    }

    private static func spelled(
        _ value: ArgumentValue, _ argument: ArgumentSignature
    ) -> [UInt8]? {
        switch value {
        case .int(let number): Array(String(number).utf8)
        case .bool(let isTrue):
            if case .bool(let spelling) = argument.type {
                isTrue ? spelling.yes.first : spelling.no.first
            } else {
                nil
            }
        case .text(let text), .bytes(let text), .json(let text), .xml(let text): text
        default: nil
        }
    }

    /// Returns the line, either with the default value written out or without the argument.
    func bytes(isWhole: Bool, _ room: Int?, _ subject: Subject) -> [UInt8] {
        let syntax = subject.dialect.syntax.fromClient
        if syntax.json != nil {
            var values = before.map { argument in
                let sample = Self.sample(argument, room, subject)
                return (argument, JSONSample.text(sample, argument.type))
            }
            if isWhole { values.append((argument, JSONSample.text(value, argument.type))) }
            return subject.object(verb, values)
        }
        var line = verb
        func append(_ argument: ArgumentSignature, _ value: [UInt8]) {
            subject.appendSeparator(to: &line, after: verb)
            if case .key(let key) = argument.position, let keys = syntax.keyValue {
                line += key + [keys.assignment]
            }
            line += value
        }
        for argument in before {
            append(argument, Self.sample(argument, room, subject))
        }
        if isWhole { append(argument, value) }
        return line + subject.terminator
    }

    /// Returns a value for an argument: the room number if a behaviour passes the room in this
    /// argument, otherwise a sample value.
    private static func sample(
        _ argument: ArgumentSignature, _ room: Int?, _ subject: Subject
    ) -> [UInt8] {
        let isRoom = ["enter", "say"].contains { name in
            subject.bound[name]?.sentLines.contains { line in
                let arguments = subject.dialect.commands.signatures[line.command].arguments
                return arguments.indices.contains {
                    arguments[$0].name == argument.name
                        && line.arguments[$0] == [.variable("room")]
                }
            } ?? false
        }
        if isRoom, let room { return Array(String(room).utf8) }
        return SampleArgument.value(argument.type)
    }
}
