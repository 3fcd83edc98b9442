import Diagnostics
import LineProtocol
import Scenario
import Testing

struct ScenarioSpellingTests {
    private static let awkward = [
        "", " ", "PING", " a", "a ", "a  b", "# x", "a # b", "a #b", "#", "a #", "\"a\"", "a\"b",
        "f(x)", "f(a: 1)", "half-close(", "f (x)", "{{", "{{{", "a{{b}}", "{", "a{\n", "{\u{1}",
        "}}", "\r\n", "a\tb", "\t", "a  within 2s", "a  for 5", "a  payload \"", "a  reply -> b",
        "a  within reason", "wait  for me", "é日本", "\u{202E}x", "\\", "a\\nb", "\u{0}",
        "a  \twithin 2s", "->", "<- x", "{ {", "a }", "\u{7F}", "\u{FEFF}",
    ]

    private func sent(_ text: String) throws -> [UInt8]? {
        guard case .send(let message) = try steps("alice -> \(text)\n").first?.kind else {
            return nil
        }
        switch message {
        case .wire(let template, payload: nil): return template.constantBytes()
        case .raw(let segments):
            guard segments.count == 1, case .bytes(let template) = segments[0] else { return nil }
            return template.constantBytes()
        default: return nil
        }
    }

    @Test(arguments: awkward)
    func awkwardTextRoundTrips(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try sent(ScenarioSpelling.wireText(bytes)) == bytes)
        #expect(try sent(ScenarioSpelling.string(bytes)) == bytes)
    }

    @Test func anyBytesRoundTrip() throws {
        var random = SeededRandom(seed: 7)
        let likely = Array("  {{}}\"\\#()|ab:1\r\n\t\u{0}é\u{FF}within for payload reply".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<random.next(below: 24)).map { _ in
                random.next(below: 4) == 0
                    ? UInt8(random.next(below: 256)) : likely[random.next(below: likely.count)]
            }
            #expect(try sent(ScenarioSpelling.wireText(bytes)) == bytes, "\(bytes)")
            #expect(try sent(ScenarioSpelling.string(bytes)) == bytes, "\(bytes)")
        }
    }

    @Test(arguments: [
        ("PRIVMSG #a :wait for me", "PRIVMSG #a :wait for me"),
        ("ACTION\u{1}", "ACTION{{\"\\x01\"}}"), ("f(x)", "{{\"\"}}f(x)"), ("", "{{\"\"}}"),
        ("a ", "a{{\" \"}}"), ("x  within 2s", "x  {{\"\"}}within 2s"),
    ])
    func ordinaryTextStaysReadable(_ text: String, _ spelled: String) {
        #expect(ScenarioSpelling.wireText(Array(text.utf8)) == spelled)
    }
}
