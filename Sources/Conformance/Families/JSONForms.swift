import LineProtocol
import Results
import Scenario
import Session

/// A JSON message in a form that the dialect's own encoder does not produce.
private struct WrittenMessage: Sendable {
    /// Returns the line, given the encoder's line and the members of its body.
    var write: @Sendable (_ line: [UInt8], _ members: [(key: [UInt8], value: [UInt8])]) -> [UInt8]

    /// Returns the line that sends a message, including its terminator; nil if the dialect cannot
    /// send a message in one line.
    func made(
        _ text: [UInt8], _ script: CaseScript, _ subject: Subject
    ) -> [UInt8]? {
        guard let wire = script.wire(bytes: text, by: "alice"),
            let value = JSONText.value(wire.line),
            let members = JSONText.members(value, in: wire.line)
        else { return nil }
        let texts = members.map { member in
            (key: member.key, value: Array(wire.line[member.value.json]))
        }
        return write(wire.line, texts) + wire.terminator
    }

    static func joined(
        _ members: [(key: [UInt8], value: [UInt8])], _ space: String = "",
        key: ([UInt8]) -> [UInt8] = { JSONValues.text(.text($0), .text) ?? $0 }
    ) -> [UInt8] {
        let space = Array(space.utf8)
        let parts = members.map { member in
            space + key(member.key) + space + Array(":".utf8) + space + member.value + space
        }
        return Array("{".utf8) + Array(parts.joined(separator: Array(",".utf8))) + Array("}".utf8)
    }

    /// Returns a string with every character written as an escape sequence.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        let units = String(decoding: text, as: UTF8.self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return Array("\"\(units.joined())\"".utf8)
    }
}

/// The `json.spelling` rule: messages arrive regardless of key order, whitespace between tokens,
/// and escape sequences in strings.
enum JSONSpelling: CheckFamily {
    static let ruleID = "json.spelling"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.syntax.fromClient.json != nil else { return [] }
        guard subject.talk?.isOneLine == true else {
            return notApplicable(subject.noMessages)
        }
        return forms.map { name, claim, form in
            .check(
                Check(CheckID(ruleID, name), claim, setting: "fields.json", in: subject) { maker in
                    let text = maker.bytes() + Array(" é 😀 ".utf8) + maker.bytes()
                    var script = maker.talkingScript(name)
                    script.barrier("alice", role: .control)
                    guard let line = form.made(text, script, maker.subject) else { return [] }
                    script.send(.stimulus, line, by: "alice", topic: text)
                    script.note(said: text, by: "alice")
                    script.hear(text, as: "bob")
                    script.barrier("alice")
                    script.quiet(["bob"])
                    return [script.judgedByPeer(texts: [text])]
                })
        }
    }

    private static var forms: [(name: String, claim: String, form: WrittenMessage)] {
        [
            (
                "order", "the order of keys does not matter",
                WrittenMessage { _, members in WrittenMessage.joined(members.reversed()) }
            ),
            (
                "space", "spaces and tabs between tokens do not matter",
                WrittenMessage { _, members in
                    Array(" \t".utf8) + WrittenMessage.joined(members, " \t ") + Array(" ".utf8)
                }
            ),
            (
                "escapes", "an escape sequence is equivalent to the character that it represents",
                WrittenMessage { _, members in
                    let escaped = members.map { member -> (key: [UInt8], value: [UInt8]) in
                        guard let value = JSONText.value(member.value), value.form == .jsonString
                        else { return member }
                        let text = JSONText.text(value, in: member.value)
                        return (member.key, WrittenMessage.escaped(text))
                    }
                    return WrittenMessage.joined(escaped, key: WrittenMessage.escaped)
                }
            ),
        ]
    }
}

/// The `json.duplicate` rule: if a key occurs several times, the dialect determines which value is
/// used.
enum JSONDuplicate: CheckFamily {
    static let ruleID = "json.duplicate"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let json = subject.dialect.syntax.fromClient.json else { return [] }
        guard subject.talk?.isOneLine == true, case .key = json.form else {
            return notApplicable("no message is sent as an object with a command key")
        }
        let word = json.firstWins ? "first" : "last"
        let check = Check(
            CheckID(ruleID), "if a key occurs twice, its \(word) value is used",
            setting: "fields.json.duplicates", says: word, in: subject, level: .robustness
        ) { maker in
            let (one, other) = (maker.bytes(), maker.bytes())
            var script = maker.talkingScript("the message key twice")
            script.barrier("alice", role: .control)
            let form = WrittenMessage { _, members in
                let text = JSONValues.text(.text(one), .text)
                var twice = members
                if let index = members.firstIndex(where: { $0.value == text }) {
                    twice.append(
                        (members[index].key, JSONValues.text(.text(other), .text) ?? []))
                }
                return WrittenMessage.joined(twice)
            }
            let expected = json.firstWins ? one : other
            guard let line = form.made(one, script, maker.subject) else { return [] }
            script.send(.stimulus, line, by: "alice", topic: expected)
            script.note(said: expected, by: "alice")
            script.barrier("alice")
            script.settled("bob")
            let room = script.room
            return [
                script.made(.texts) { evidence in
                    let stimulus = evidence.stimuli.first ?? 0
                    let answer = ObservedAnswer(&evidence, stimulus: stimulus)
                    // A server may also refuse the object.
                    if answer.kind == .refused { return .passed }
                    return PeerBytes.judge(
                        [expected], by: "alice", recipient: "bob", room: room, in: &evidence)
                }
            ]
        }
        return [.check(check)]
    }
}

/// The `json.invalid` rule: lines that are not JSON objects neither end the session nor deliver
/// anything.
enum JSONInvalid: CheckFamily {
    static let ruleID = "json.invalid"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.syntax.fromClient.json != nil else { return [] }
        return groups.map { name, claim, lines in
            .check(
                Check(
                    CheckID(ruleID, name), "\(claim) does not close the connection silently",
                    setting: "fields.json", in: subject, level: .robustness
                ) { maker in
                    // If errors close the connection, only one line can be sent on each connection.
                    guard subject.errorsClose else { return [made(name, lines, &maker)] }
                    return lines.map { made(String($0.prefix(20)), [$0], &maker) }
                })
        }
    }

    private static func made(
        _ title: String, _ lines: [String], _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        script.barrier("alice", role: .control)
        for line in lines {
            script.send(.stimulus, Array(line.utf8) + maker.subject.terminator, by: "alice")
            script.step(.question, .sync("alice"))
        }
        script.barrier("alice")
        return script.made(.any) { evidence in
            evidence.closingAnswer().map { .observed($0.className) }
                ?? Reaction.open.judge(&evidence)
        }
    }

    private static let groups: [(name: String, claim: String, lines: [String])] = [
        (
            "syntax", "a line that is not valid JSON",
            [
                "{", "}", "{\"type\"", "{\"type\":", "{\"type\":\"", "{\"type\":1,}", "{type:1}",
                "{'type':'x'}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":NaN}",
                "{\"a\":\"\\x41\"}", "{\"a\":\"\\u12\"}", "{\"a\":tru}", "{\"a\":1}}", "x",
                "{\"a\":1}{\"b\":2}", "// comment", "{\"a\":\"\u{1}\"}",
            ]
        ),
        (
            "value", "a JSON value that is not an object",
            ["0", "-1", "true", "null", "\"text\"", "[]", "[1,2]", "[{}]"]
        ),
        (
            "members", "an object without a known command",
            [
                "{}", "{\"\":\"\"}", "{\"type\":null}", "{\"type\":1}", "{\"type\":[]}",
                "{\"type\":{\"type\":\"x\"}}", "{\"type\":\"\"}", "{\"type\":\"\\ud800\"}",
            ]
        ),
    ]
}

/// The `json.depth` rule: an unknown key with a deeply nested value or a very large number does not
/// disrupt the server.
enum JSONDepth: CheckFamily {
    static let ruleID = "json.depth"
    private static let depths = [10, 100, 1_000, 20_000]

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.dialect.syntax.fromClient.json != nil else { return [] }
        guard subject.talk?.isOneLine == true else {
            return notApplicable(subject.noMessages)
        }
        let limit = subject.dialect.framing.fromClient.limits.lineBytesMax
        let check = Check(
            CheckID(ruleID), "deeply nested values and large numbers do not disrupt the server",
            setting: "fields.json", in: subject, level: .robustness
        ) { maker in
            var values = depths.filter { $0 * 2 < limit - 200 }.map { depth in
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            }
            values += ["1e999999", "-1e-999999", String(repeating: "9", count: 1_000)]
            return values.map { value in
                var script = maker.talkingScript(
                    value.count > 20 ? "\(value.count) bytes" : value)
                script.barrier("alice", role: .control)
                if let wire = script.wire(maker.word(), by: "alice") {
                    let line = subject.inserting(Array("\"more\":\(value)".utf8), in: wire.line)
                    script.send(.stimulus, line + wire.terminator, by: "alice")
                }
                script.barrier("alice")
                script.settled("bob")
                return script.made(.any) { evidence in
                    evidence.closingAnswer().map { .observed($0.className) }
                        ?? Reaction.open.judge(&evidence)
                }
            }
        }
        return [.check(check)]
    }
}
