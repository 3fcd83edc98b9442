import DialectModel
import LineProtocol
import Scenario

/// Material for fuzzing a dialect: valid lines, special bytes and argument values.
struct FuzzGrammar: Sendable {
    let subject: Subject
    /// Valid inputs, each with one line.
    let seeds: [FuzzInput]
    /// Bytes that have a meaning in the dialect, and other bytes that servers may handle
    /// incorrectly.
    let bytes: [UInt8]
    /// Argument values to try: edge cases, names, a room and commands.
    let words: [[UInt8]]
    /// True if alice can send a message to bob in one line.
    let talks: Bool
    let terminator: [UInt8]
    let separator: UInt8
    let accepted: [[UInt8]]
    let lineBytesMax: Int

    init(_ subject: Subject) {
        self.subject = subject
        let dialect = subject.dialect
        terminator = subject.terminator
        separator = dialect.syntax.fromClient.separators.first ?? ASCII.space
        accepted = dialect.framing.fromClient.accepted.map(\.bytes)
        lineBytesMax = dialect.framing.fromClient.limits.lineBytesMax
        talks = subject.talk?.isOneLine == true
        var seeds: [FuzzInput] = []
        for word in ["hello", "a b c"] {
            if let wire = Self.spoken(Array(word.utf8), subject) {
                seeds.append(FuzzInput(lines: [wire]))
            }
        }
        if let probe = AliveFragment(subject)?.wire(word: "fuzz", subject) {
            seeds.append(FuzzInput(lines: [probe.bytes]))
        }
        // Commands that log in or out are excluded.
        for (signature, verb) in subject.clientCommands
        where !subject.bound.sends(signature, in: ["login", "logout"]) {
            if let line = PayloadLine(signature, verb, subject) {
                seeds.append(FuzzInput(lines: [line.bytes(Array("hello".utf8))]))
            } else if signature.payloadArgument == nil {
                let arguments = SampleArgument.required(signature)
                seeds.append(
                    FuzzInput(lines: [SampleArgument.line(verb, arguments, subject)]))
            }
        }
        self.seeds = seeds
        let position = TextPosition(subject)
        let specials = position?.special ?? dialect.syntax.fromClient.separators
        bytes = specials + [0, 0x01, 0x07, 0x09, 0x0A, 0x0D, 0x1B, 0x20, 0x7F, 0x80, 0xC3, 0xFF]
        let verbs = subject.clientCommands.map(\.verb)
        let edges = [
            "", "0", "-1", "00", "2147483648", "9223372036854775808", "x", "*", "é", "%s%n",
            FuzzInput.alice, FuzzInput.bob, String(FuzzInput.room), "#room\(FuzzInput.room)",
        ]
        words = edges.map { Array($0.utf8) } + verbs
    }

    /// Returns whether a line could make the server wait for a payload.
    func mayHavePayload(_ bytes: [UInt8]) -> Bool {
        let framing = subject.dialect.framing
        if framing.unit != .line { return true }
        let upper = bytes.map(ASCII.uppercased)
        return (framing.payloads.map(\.verb) + framing.blocks.map(\.verb))
            .contains { upper.firstRange(of: $0.map(ASCII.uppercased)) != nil }
    }

    /// Returns the bytes that alice sends to deliver a message to bob; nil if the dialect cannot
    /// express the text.
    static func spoken(_ text: [UInt8], _ subject: Subject) -> [UInt8]? {
        var script = CaseScript("", subject)
        script.note(actor: CaseActor(handle: "alice", name: FuzzInput.alice))
        script.note(actor: CaseActor(handle: "bob", name: FuzzInput.bob))
        script.enter(room: FuzzInput.room, [])
        return script.wire(bytes: text, by: "alice")?.bytes
    }
}
