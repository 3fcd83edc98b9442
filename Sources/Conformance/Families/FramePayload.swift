import LineProtocol
import Results
import Scenario

/// The `frame.seg:payload` check: a command with a payload may be split between writes at any byte,
/// even inside its length, its payload or their terminators.
enum FramePayload {
    /// Number of payload commands to try if none sends a message.
    private static let commandsMax = 4
    /// A payload whose length has two digits.
    private static let payload = Array("a payload of a few letters".utf8)

    /// Creates the check; nil if client commands have no payloads.
    static func check(_ subject: Subject) -> Check? {
        let commands = subject.clientCommands.filter {
            PayloadLine($0.signature, $0.verb, subject) != nil
        }
        guard !commands.isEmpty else { return nil }
        return Check(
            CheckID(FrameSegments.ruleID, "payload"),
            "a command with a payload may be split at any byte",
            setting: "framing", in: subject, level: .robustness
        ) { maker in
            if TextPosition(maker.subject)?.rule == nil, maker.subject.talk?.isOneLine == true {
                return Cut.allCases.compactMap { delivered($0, &maker) }
            }
            return commands.prefix(commandsMax).flatMap { command in
                // Commands with the same word, such as a key, would affect each other.
                Cut.allCases.compactMap { cut in
                    PayloadLine(command.signature, command.verb, subject, word: maker.word())
                        .flatMap { same(cut, $0, &maker) }
                }
            }
        }
    }

    /// The position where the command is split.
    private enum Cut: String, CaseIterable {
        case length = "inside its length"
        case lengthEnd = "after its length"
        case terminator = "inside its line terminator"
        case start = "before its payload"
        case payload = "inside its payload"
        case end = "after its payload"
        case payloadEnd = "inside its payload's terminator"

        /// Returns the offset of the split; nil if the command cannot be split there.
        func offset(_ wire: WireLine, _ payloadCount: Int) -> Int? {
            let line = wire.line.count
            let start = line + wire.terminator.count
            let end = start + payloadCount
            let offset =
                switch self {
                case .length: line - 1
                case .lengthEnd: line
                case .terminator: line + 1
                case .start: start
                case .payload: start + payloadCount / 2
                case .end: end
                case .payloadEnd: end + 1
                }
            if self == .terminator, wire.terminator.count < 2 { return nil }
            return offset < wire.bytes.count ? offset : nil
        }
    }

    private static func pieces(_ bytes: [UInt8], _ offset: Int) -> [[UInt8]] {
        [Array(bytes[..<offset]), Array(bytes[offset...])]
    }

    /// Creates the case that requires another client to receive the payload; nil if the command
    /// cannot be split there.
    private static func delivered(_ cut: Cut, _ maker: inout CaseMaker) -> CheckCase? {
        var script = maker.talkingScript("cut \(cut.rawValue)")
        script.barrier("alice", role: .control)
        let text = "a payload \(maker.word())"
        guard let wire = script.wire(text, by: "alice"),
            let offset = cut.offset(wire, text.utf8.count)
        else { return nil }
        script.speak(text, by: "alice") { pieces($0.bytes, offset) }
        script.hear(as: "bob")
        script.barrier("alice")
        script.quiet(["bob"])
        return script.judgedByPeer()
    }

    /// Creates the case that requires the same outcome as for the unsplit command; nil if the
    /// command cannot be split there.
    private static func same(
        _ cut: Cut, _ line: PayloadLine, _ maker: inout CaseMaker
    ) -> CheckCase? {
        let bytes = line.bytes(payload)
        guard let wire = WireLine(bytes, terminator: maker.subject.terminator),
            let offset = cut.offset(wire, payload.count)
        else { return nil }
        var script = maker.script("\(line.name) cut \(cut.rawValue)")
        script.barrier("alice", role: .control)
        script.differentialPair([bytes], pieces(bytes, offset), by: "alice")
        script.barrier("alice")
        return script.made()
    }
}
