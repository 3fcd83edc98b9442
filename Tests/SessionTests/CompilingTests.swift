import Diagnostics
import Results
import Scenario
import Session
import Testing

/// Scenarios that do not compile, with the code and a part of the message.
private let refused: [(String, String, String)] = [
    (
        "dialect livechat\noperators a\na -> sendMesage(text: \"x\")\n", "scenario.unknown-command",
        "did you mean `sendMessage`?"
    ),
    (
        "dialect livechat\noperators a\na -> didReceive(text: \"x\")\n", "scenario.unknown-command",
        "only servers send it"
    ),
    (
        "dialect livechat\noperators a\na <- didReceive(txt: \"x\")\n", "scenario.unknown-argument",
        "did you mean `text`?"
    ),
    (
        "dialect livechat\noperators a\na -> sendMessage(chat: \"x\")\n", "scenario.wrong-type",
        "expected type int"
    ),
    (
        "dialect livechat\noperators a\na <- didReceive(hidden: 7)\n", "scenario.wrong-type",
        "expected type bool"
    ),
    (
        "dialect irc\noperators a\na -> privmsg(target: \"a b\", text: \"x\")\n",
        "scenario.unencodable", "argument `target` of `privmsg` cannot contain"
    ),
    (
        "dialect irc\noperators a\na -> privmsg(target: \"b\", text: \"x\\ny\")\n",
        "scenario.unencodable", "send a quoted string"
    ),
    (
        "dialect irc\noperators a\na -> PRIVMSG b :{{text}}\n", "scenario.unbound-variable",
        "--var text="
    ),
    (
        "dialect irc\noperators a\na -> NICK x  payload \"y\"\n", "scenario.no-payload",
        "no payload"
    ),
    (
        "dialect irc\noperators a\nuse logn as a\n", "scenario.unknown-fragment",
        "did you mean `login`?"
    ),
    (
        "dialect irc\noperators a\nuse relay as a\n", "scenario.missing-argument",
        "needs values for: to"
    ),
    (
        "dialect irc\noperators a\nuse login as a (nam: \"x\")\n", "scenario.unknown-parameter",
        "did you mean `name`?"
    ),
    ("dialect irc\noperators a\n", "scenario.no-steps", "add at least one step"),
    ("dialect irc\nfragment f {\n-> X\n}\n", "scenario.no-steps", "at least one step"),
    ("dialect plain\noperators a\nname a free\n", "scenario.no-login", "no `login` behaviour"),
    (
        "dialect irc\nsecret pw\noperators a\na connect\n", "scenario.missing-secret",
        "LINEJUDGE_SECRET_pw"
    ),
]

@Test(arguments: refused)
func errorsAreReportedOnCompilation(
    text: String, code: String, message: String
) throws {
    var diagnostics: [Diagnostic] = []
    do {
        _ = try compiled(text)
    } catch {
        diagnostics = (error as? Diagnosed)?.diagnostics ?? []
    }
    let rendered = DiagnosticRenderer().text(diagnostics)
    #expect(diagnostics.contains { $0.code.word == code }, "\(rendered)")
    #expect(rendered.contains(message), "\(rendered)")
    #expect(diagnostics.allSatisfy { $0.location != nil })
}

@Test(arguments: [
    "operators a, b\nuse logni\n", "operators a, b\nuse login as a (nam: \"x\")\n",
    "operators a, b\nuse relay as a, b (too: \"x\", text: \"y\")\n",
    "operators a, b\nuse relay as a, b (to: \"x\")\n", "operators a, b\nuse relay\n",
    "operators a, b\nfragment f(t) {\nuse logni\n-> X {{t}}\n}\nuse f (t: \"x\")\n",
    "operators a, b\nfragment f(t) {\n-> X {{t}}\n}\nuse f (txt: \"x\")\n",
    "operators a, b\nfragment f(t) {\n-> X {{t}}\n}\nuse f\n",
])
func oneMistakeGivesOneError(text: String) {
    var diagnostics: [Diagnostic] = []
    do {
        _ = try compiled("dialect irc\n" + text)
    } catch {
        diagnostics = (error as? Diagnosed)?.diagnostics ?? []
    }
    #expect(diagnostics.count == 1, "\(DiagnosticRenderer().text(diagnostics))")
}

@Test func behaviourUsedByThreeOperatorsCompiles() throws {
    let text = "dialect irc\noperators a, b, c\nuse login\n"
    // Three operators use the same behaviour: it compiles for each of them.
    #expect(try compiled(text).operators == ["a", "b", "c"])
}

@Test(arguments: [
    ("whole", Segmentation.whole), ("byte", .byte), ("random:7", .random(seed: 7)),
    ("coalesce", .coalesce), ("mid-crlf", .midTerminator), ("mid-letter", .midLetter),
    ("fin+data", .finWithData),
])
func segmentationsAreParsed(word: String, segmentation: Segmentation) {
    #expect(Segmentation(word) == segmentation)
    #expect(segmentation.word == word)
}

@Test(arguments: ["", "bytes", "random", "random:x", "random:-1"])
func unknownSegmentationsAreRejected(word: String) {
    #expect(Segmentation(word) == nil)
}
