import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Testing

@testable import Load

private func shown(_ template: SendTemplate?) -> String {
    guard let template else { return "-" }
    var result = ""
    var offset = 0
    let widths = SlotWidths(text: 40)
    for patch in template.patches.sorted(by: { $0.offset < $1.offset }) {
        result += String(decoding: template.bytes[offset..<patch.offset], as: UTF8.self)
        result += "{\(patch.slot)}"
        offset = patch.offset + (widths.width(patch.slot) ?? 0)
    }
    result += String(decoding: template.bytes[offset...], as: UTF8.self)
    // Swift treats CR LF as one character.
    return result.utf8.reduce(into: "") { text, byte in
        switch byte {
        case 13: text += "\\r"
        case 10: text += "\\n"
        default: text.unicodeScalars.append(Unicode.Scalar(byte))
        }
    }
}

@Test(arguments: [
    ("livechat", LoadAction.say, "S0004|0|{room}|{text}\\n"),
    ("livechat", .relay, "S0007|{to}|{text}\\n"),
    ("livechat", .probe, "S0003|{token}\\n"),
    ("irc", .say, "PRIVMSG #room{room} {text}\\r\\n"),
    ("irc", .relay, "PRIVMSG {to} {text}\\r\\n"),
    ("irc", .probe, "PING {token}\\r\\n"),
    ("nats", .say, "PUB room.{room} inbox.{name} 40\\r\\n{text}\\r\\n"),
    ("nats", .probe, "PING\\r\\n"),
    ("plain", .say, "{text}\\n"),
    ("plain", .probe, "-"),
])
func aBehaviourBecomesATemplate(dialect: String, action: LoadAction, template: String) throws {
    let book = try operatorScript(dialect)
    var found = shown(book.sends[action])
    // The encoder adds the trailing marker.
    if dialect == "irc" { found = found.replacing(" :{text}", with: " {text}") }
    #expect(found == template)
}

/// Scenarios send the same defaults.
@Test func omittedArgumentsBeforeGivenOnesGetDefaults() throws {
    let text = """
        name: own
        framing: {terminator: LF}
        fields: {separator: '|'}
        commands:
          login:
            wire: NICK
            from: client
            arguments: [name: text]
          welcome:
            wire: HELLO
            from: server
            arguments: [name: text]
          say:
            wire: SAY
            from: client
            arguments: [kind: one of public|secret, at: time, flag: bool, to: text, text: text]
          said:
            wire: SAID
            from: server
            arguments: [from: text, text: text]
        behaviours:
          login: |
            -> login(name: {{name}})
            <- welcome
          relay: |
            -> say(to: {{to}}, text: {{text}})
          arrival: |
            <- said(from: {{from}}, text: {{text}})
        """
    let outcome = DialectReader.read(SourceText(path: "own.yaml", text: text))
    let dialect = try #require(outcome.dialect, "\(outcome.diagnostics)")
    let script = try OperatorScript(BoundDialect(dialect), textBytes: 40)
    #expect(shown(script.sends[.relay]) == "SAY|public|0|0|{to}|{text}\\n")
}

@Test(arguments: ["livechat", "irc", "nats", "plain", "teamspeak"])
func aBuiltInDialectCanBeLoaded(dialect: String) throws {
    #expect(try !operatorScript(dialect).actions.isEmpty)
}

/// MSNP logs in with a ticket from another server.
@Test func aDialectThatNeedsMoreThanANameSaysSo() throws {
    let error = try #require(throws: Diagnosed.self) { try operatorScript("msnp") }
    #expect("\(error)".contains("--var ticket="))
}

@Test func whatADialectNeedsMoreCanBeGiven() throws {
    let file = try DialectLibrary.find("msnp")
    let operatorScript = try OperatorScript(
        BoundDialect.of(file), textBytes: 64, variables: ["ticket": Array("t=1".utf8)])
    #expect(operatorScript.actions.contains(.probe))
}

@Test func aProbeWithATokenIsDistinguishedFromACountedOne() throws {
    #expect(try operatorScript("irc").probeHasToken)
    #expect(try !operatorScript("nats").probeHasToken)
}

/// The purpose of each rule that matches a line, in the order in which rules are tried.
private func purposes(_ line: String, _ dialect: String) throws -> [String] {
    let book = try operatorScript(dialect)
    var reader = RuleMatcher(book)
    let bytes = Array(line.utf8)
    let frame = Frame(line: 0..<bytes.count, whole: 0..<bytes.count)
    var found: [String] = []
    var rule = reader.firstRule(of: bytes.span, frame)
    while let taken = rule {
        let word =
            switch reader.purpose(taken) {
            case .answer(let step): "answer \(step)"
            case .arrival: "arrival"
            case .roomMessage: "heard"
            case .standing: "standing"
            case .reject: "reject"
            }
        found.append(word)
        rule = reader.firstRule(of: bytes.span, frame, after: taken)
    }
    return found
}

private func purpose(_ line: String, _ dialect: String) throws -> String {
    try purposes(line, dialect).first ?? "nothing"
}

/// Each answer ends with a status of success; only other numbers are refusals.
@Test(arguments: [
    ("error id=0 msg=ok", ["answer 1"]), ("error id=2568 msg=no", ["reject"]),
    ("error id=1 msg=undefined", ["reject"]), ("error msg=ok", []), ("error id=00 msg=ok", []),
])
func aStatusOfSuccessRefusesNothing(line: String, expected: [String]) throws {
    #expect(try purposes(line, "teamspeak") == expected)
}

@Test(arguments: [
    ("livechat", "R0003|lj0000001", "answer 0"),
    ("livechat", "R0004|1|some text|lj0000000|17000000|0", "heard"),
    ("livechat", "R0007|1|some text|lj0000000", "arrival"),
    ("livechat", "R0002|S0004|404|no such chat", "reject"),
    ("livechat", "R0005|17|lj0000000", "nothing"),
    ("livechat", "X9|what", "nothing"),
    ("irc", ":lj0000000!u@h PRIVMSG #room17000000 :text", "heard"),
    ("irc", ":lj0000000!u@h PRIVMSG lj0000001 :text", "arrival"),
    ("irc", ":irc.test PONG irc.test :lj0000001", "answer 0"),
    ("irc", "PING :irc.test", "standing"),
    ("irc", ":irc.test 404 lj0000000 #room1 :Cannot send to channel", "reject"),
    ("irc", ":irc.test 366 lj0000000 #room1 :End of NAMES list", "nothing"),
    ("plain", "anything", "heard or arrival"),
])
func aLineIsTakenForWhatItIs(dialect: String, line: String, expected: String) throws {
    let found = try purpose(line, dialect)
    #expect(expected.contains(found))
}
