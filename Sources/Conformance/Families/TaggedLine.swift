import DialectModel
import LineProtocol
import Scenario
import Session

/// The line of a tagged message, split into parts.
struct TaggedLine {
    let bytes: [UInt8]
    let key: [UInt8]
    private let keyStart: Int
    private let tagEnd: Int
    private let syntax: FieldSyntax.TagSyntax

    /// Creates alice's line for a tagged message; nil if the `say-tagged` behaviour does not send a
    /// line with a tag.
    init?(_ text: String, _ value: String, script: CaseScript) {
        self.init(text, Array(value.utf8), script: script)
    }

    init?(_ text: String, _ value: [UInt8], script: CaseScript) {
        let given = [
            "room": Array(String(script.room ?? 0).utf8), "text": Array(text.utf8), "value": value,
        ]
        let dialect = script.subject.dialect
        guard let syntax = dialect.syntax.fromClient.tags,
            let wire = WireLine.spoken(
                by: script.actor("alice").name, "say-tagged", given, script.subject)
        else { return nil }
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromClient).split(
            wire.line.span, 0..<wire.line.count, into: &split)
        guard let tags = split.tags else { return nil }
        bytes = wire.bytes
        key = Array(wire.line[tags].prefix { $0 != syntax.assignment })
        keyStart = tags.lowerBound
        tagEnd = tags.upperBound
        self.syntax = syntax
    }

    /// The key without the byte that marks tags from clients; nil if there is no such byte.
    var serverKey: [UInt8]? {
        guard let first = key.first, !ASCII.isLetter(first), !ASCII.isDigit(first) else {
            return nil
        }
        return Array(key.dropFirst())
    }

    /// The line without the byte that marks tags from clients.
    var unprefixed: [UInt8] { Array(bytes[..<keyStart] + bytes[(keyStart + 1)...]) }

    /// Returns the line with the tag repeated, this time with the given value.
    func repeating(_ value: String) -> [UInt8] {
        let tag = [syntax.separator] + key + [syntax.assignment] + Array(value.utf8)
        return Array(bytes[..<tagEnd] + tag + bytes[tagEnd...])
    }

    /// Returns a value that makes the tags `size` bytes long, including the marker before them and
    /// the separator after them; nil if `size` is too small.
    static func value(_ size: Int, _ text: String, _ script: CaseScript) -> [UInt8]? {
        guard let empty = TaggedLine(text, "x", script: script) else { return nil }
        let count = size - (empty.tagEnd + 1) + 1
        return count > 0 ? [UInt8](repeating: 0x79, count: count) : nil
    }
}

extension CaseScript {
    /// Returns the step that sends or expects a tagged message from alice.
    func tagged(
        _ behaviour: String, _ text: String, _ value: [UInt8], as handle: String
    ) -> Step {
        let given = arguments(
            [
                ("from", .text(actor("alice").name)), ("room", .int(room ?? 0)),
                ("text", .spelled(Array(text.utf8))), ("value", .spelled(value)),
            ], of: behaviour)
        return .use(behaviour, as: handle, given)
    }

    /// Adds steps that expect bob to receive a message without the forbidden tags.
    ///
    /// - Parameter forbidden: A regular expression for the part of the tags that must not arrive.
    mutating func relayed(_ text: String, forbidden: String) {
        guard let syntax = subject.dialect.syntax.fromServer.tags else { return }
        note(said: Array(text.utf8), by: "alice")
        let pattern = ExpectedPattern.line(tag: forbidden, syntax)
        let requires = pattern.map { [Step.expect("bob", .never, $0)] } ?? []
        step(.question, .sync("alice"))
        step(.question, .sync("bob"), requires: requires)
        hear(as: "bob")
        barrier("alice")
    }
}

extension Subject {
    /// True if the login turns on features with the command that `negotiate` sends.
    var negotiatesInLogin: Bool {
        guard let negotiate = bound["negotiate"] else { return false }
        return knownCommands.contains { signature, _ in
            bound.sends(signature, in: ["login"]) && bound.sends(signature, in: [negotiate.name])
        }
    }
}

extension EscapeRule {
    /// The bytes that must be escaped; empty if there are none.
    var specialBytes: [UInt8] {
        guard case .table(let table) = self else { return [] }
        return Set(table.meaning.values).sorted()
    }
}
