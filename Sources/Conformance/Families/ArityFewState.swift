import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `arity.few:state` check: lines with too few arguments leave a room unchanged.
enum ArityFewState {
    /// Maximum number of commands that a member of the room tries in each case.
    private static let commandsPerCase = 8

    /// A command that is sent with required arguments missing.
    private struct ShortCommand {
        var name: String
        var required: [ArgumentSignature]
        var signature: CommandSignature
        var verb: [UInt8]
        /// True if the dialect requires the server to refuse the line, so that other clients
        /// receive nothing.
        var isRefused: Bool

        /// Returns the lines to send, shortest first.
        func lines(_ room: Int?, _ subject: Subject) -> [[UInt8]] {
            required.indices.map { count in
                SampleArgument.line(verb, required.prefix(count), subject) {
                    RoomArgument.value($0, of: signature, room: room, subject)
                }
            }
        }
    }

    /// Creates the check; nil if the dialect has no single-line messages, which show whether a room
    /// has changed, or if no command has required arguments.
    static func check(_ subject: Subject) -> Check? {
        guard subject.talk?.isOneLine == true else { return nil }
        let commands = commands(subject)
        guard !commands.isEmpty else { return nil }
        return Check(
            CheckID(ArityFew.ruleID, "state"),
            "after commands with too few arguments, messages still arrive and nothing else does",
            setting: "tolerance.too-few", in: subject, level: .robustness
        ) { maker in
            // If errors close the connection, only one line can be sent on each connection.
            guard !subject.errorsClose else {
                return commands.flatMap { command in
                    command.required.indices.map { alone(command, $0, &maker) }
                }
            }
            return [true, false].flatMap { isRefused -> [CheckCase] in
                let all = commands.filter { $0.isRefused == isRefused }
                return stride(from: 0, to: all.count, by: commandsPerCase).map { first in
                    together(Array(all[first..<min(first + commandsPerCase, all.count)]), &maker)
                }
            }
        }
    }

    private static func commands(_ subject: Subject) -> [ShortCommand] {
        return subject.clientCommands.compactMap { signature, verb in
            let required = SampleArgument.required(signature)
            let name = String(decoding: verb, as: UTF8.self)
            guard !required.isEmpty, !subject.logsOut(signature) else { return nil }
            return ShortCommand(
                name: name, required: required, signature: signature, verb: verb,
                isRefused: subject.tolerance(signature).tooFew == .reject)
        }
    }

    /// Creates a case in which one client sends all lines and must then still reach the others.
    private static func together(
        _ commands: [ShortCommand], _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.talkingScript(
            commands.map(\.name).joined(separator: ", ") + " with too few arguments")
        script.barrier("alice", role: .control)
        for line in commands.flatMap({ $0.lines(script.room, maker.subject) }) {
            script.send(.stimulus, line, by: "alice", topic: line)
            script.step(.question, .sync("alice"))
        }
        return judged(&script, by: "alice", isRefused: commands.allSatisfy(\.isRefused), &maker)
    }

    /// Creates a case in which the sender may be disconnected, but the others must still reach each
    /// other.
    private static func alone(
        _ command: ShortCommand, _ count: Int, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.talkingScript(
            "\(command.name) with \(count) of \(command.required.count) arguments",
            ["alice", "bob", "carol"])
        script.barrier("carol", role: .control)
        let line = command.lines(script.room, maker.subject)[count]
        script.send(.stimulus, line, by: "alice", topic: line)
        script.step(.question, .wait(20_000_000))
        return judged(&script, by: "carol", isRefused: command.isRefused, &maker)
    }

    private static func judged(
        _ script: inout CaseScript, by speaker: String, isRefused: Bool, _ maker: inout CaseMaker
    ) -> CheckCase {
        script.barrier(speaker)
        let text = maker.bytes()
        script.say(String(decoding: text, as: UTF8.self), as: speaker, role: .question)
        script.hear(as: "bob")
        script.barrier(speaker)
        // A line that is not refused may send something to other clients, such as an empty message.
        if isRefused { script.quiet(["bob"]) } else { script.settled("bob") }
        let room = script.room
        return script.made(.texts) { judge(text, by: speaker, isRefused, room, &$0) }
    }

    private static func judge(
        _ text: [UInt8], by speaker: String, _ isRefused: Bool, _ room: Int?,
        _ evidence: inout Evidence
    ) -> Judgement {
        if isRefused, speaker == "alice" {
            return PeerBytes.judge([text], by: speaker, recipient: "bob", room: room, in: &evidence)
        }
        let ran =
            isRefused
            ? PeerBytes.ran(
                by: "alice", room: room,
                expected: "bob receives nothing from the incomplete command", in: &evidence)
            : nil
        if let ran { return .failed(ran) }
        let received = PeerBytes.received(by: "bob", from: speaker, room: room, in: &evidence).texts
        let count = received.count { $0 == text }
        guard count != 1 else { return evidence.scripted() }
        if count == 0, case .failed(let finding) = evidence.scripted() { return .failed(finding) }
        return .failed(
            Finding(
                count == 0 ? "lost" : "duplicated",
                expected: "bob receives \(PeerBytes.shown([text])) once",
                got: received.isEmpty
                    ? "the message never arrived" : "bob received \(PeerBytes.shown(received))"))
    }
}

/// Values for arguments that identify the room used in a case.
enum RoomArgument {
    /// Returns a room's name as written in the dialect's lines, such as `#room7`; nil if no line
    /// for entering a room contains it.
    static func written(_ room: String, _ subject: Subject) -> [UInt8]? {
        for line in subject.bound["enter"]?.sentLines ?? [] {
            for index in line.arguments.indices
            where line.arguments[index]?.contains(.variable("room")) == true {
                return line.bytes(of: index, ["room": Array(room.utf8)])
            }
        }
        return nil
    }

    /// Returns the room as the value of an argument; nil if no behaviour passes the room in this
    /// argument.
    static func value(
        _ argument: ArgumentSignature, of signature: CommandSignature, room: Int?,
        _ subject: Subject
    ) -> [UInt8]? {
        guard let room else { return nil }
        let lines = ["enter", "say", "leave"].flatMap { subject.bound[$0]?.sentLines ?? [] }
        let commands = subject.dialect.commands.signatures
        for line in lines where commands[line.command].name == signature.name {
            guard let index = signature.arguments.firstIndex(where: { $0.name == argument.name }),
                line.arguments[index]?.contains(.variable("room")) == true,
                let value = line.bytes(of: index, ["room": Array(String(room).utf8)])
            else { continue }
            return value
        }
        return nil
    }
}
