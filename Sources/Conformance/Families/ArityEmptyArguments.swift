import LineProtocol
import Scenario
import Session

/// The `arity.empty:COMMAND` checks, in which each argument of a command is left empty in turn.
struct ArityEmptyArguments {
    /// Name of the command on the wire.
    let name: String
    private let signature: CommandSignature
    private let verb: [UInt8]
    /// Indices of the arguments that can be empty.
    private let arguments: [Int]

    /// Creates the lines to send. Returns nil if the dialect cannot write an empty argument, or if
    /// the command has a payload, ends the session or takes a password. (Servers delay or block
    /// clients that send a wrong password.)
    init?(_ signature: CommandSignature, _ verb: [UInt8], _ subject: Subject) {
        name = String(decoding: verb, as: UTF8.self)
        let needsPassword = signature.arguments.contains { $0.isCredential && $0.isRequired }
        guard signature.payloadArgument == nil, !needsPassword,
            !subject.logsOut(signature)
        else { return nil }
        self.signature = signature
        self.verb = verb
        arguments = signature.arguments.indices.filter {
            Self.line(signature, verb, $0, room: nil, subject) != nil
        }
        if arguments.isEmpty { return nil }
    }

    static func all(_ subject: Subject) -> [ArityEmptyArguments] {
        subject.clientCommands.compactMap { ArityEmptyArguments($0.signature, $0.verb, subject) }
    }

    var claim: String { "\(name) with an empty argument does not close the connection silently" }

    /// Returns one case for all arguments, or one for each argument if errors close the connection.
    func cases(_ maker: inout CaseMaker) -> [CheckCase] {
        guard maker.subject.errorsClose else {
            return [made("each argument empty in turn", arguments, &maker)]
        }
        return arguments.map { made("`\(signature.arguments[$0].name)` empty", [$0], &maker) }
    }

    private func made(
        _ title: String, _ arguments: [Int], _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        let subject = maker.subject
        var room: Int?
        if Self.canShift(subject), signature.arguments.count > 1, subject.talk?.isRoom == true {
            let number = maker.room()
            script.enter(room: number, ["alice"])
            room = number
        }
        script.barrier("alice", role: .control)
        let lines = arguments.compactMap { Self.line(signature, verb, $0, room: room, subject) }
        for line in lines {
            script.send(.stimulus, line, by: "alice")
            script.step(.question, .sync("alice"))
        }
        script.barrier("alice")
        return script.made(.any) { evidence in
            evidence.closingAnswer().map { .observed($0.className) }
                ?? Reaction.open.judge(&evidence)
        }
    }

    /// Returns whether a server could drop an empty argument, so that the next one takes its place.
    private static func canShift(_ subject: Subject) -> Bool {
        let syntax = subject.dialect.syntax.fromClient
        return syntax.json == nil && syntax.keyValue == nil && !syntax.separatorRuns
    }

    /// Returns the line with one argument left empty; nil if the dialect cannot express it.
    ///
    /// - Parameter room: Room that text arguments after the empty one name, so that the line is valid
    ///   if the server drops the empty one; nil for sample values.
    private static func line(
        _ signature: CommandSignature, _ verb: [UInt8], _ index: Int, room: Int?,
        _ subject: Subject
    ) -> [UInt8]? {
        let argument = signature.arguments[index]
        guard isInLine(argument), argument.position != .correlation else { return nil }
        let syntax = subject.dialect.syntax.fromClient
        let before = signature.arguments[..<index].filter(isInLine)
        let after = signature.arguments[(index + 1)...].filter { $0.isRequired && isInLine($0) }
        let isLast = after.isEmpty && isPositional(argument)
        let spelling: [UInt8]
        if syntax.json != nil {
            // Only strings can be empty.
            guard JSONSample.isString(argument.type) else { return nil }
            spelling = []
        } else if !isPositional(argument) || !syntax.separatorRuns {
            // The result is `key=`, or two adjacent separators.
            spelling = []
        } else if syntax.quotes {
            spelling = [ASCII.quote, ASCII.quote]
        } else if let marker = syntax.trailingMarker, isLast {
            spelling = [marker]
        } else {
            return nil
        }
        let shifted = after.map(\.name)
        return SampleArgument.line(verb, before + [argument] + after, subject) {
            if $0.name == argument.name { return spelling }
            guard let room, $0.type == .text, shifted.contains($0.name) else { return nil }
            return RoomArgument.written(String(room), subject)
        }
    }

    private static func isPositional(_ argument: ArgumentSignature) -> Bool {
        if case .key = argument.position { false } else { true }
    }

    private static func isInLine(_ argument: ArgumentSignature) -> Bool {
        switch argument.position {
        case .field, .key, .correlation: argument.presence != .variadic
        default: false
        }
    }
}
