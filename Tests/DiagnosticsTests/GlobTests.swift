import Diagnostics
import Testing

struct GlobTests {
    @Test(arguments: [
        ("*.chat", "a.chat", true), ("*.chat", "x/a.chat", false),
        ("**/*.chat", "x/y/a.chat", true),
        ("**/*.chat", "a.chat", true), ("a?c", "abc", true), ("a?c", "a/c", false),
        ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a-c]x", "dx", true),
        ("[^a-c]x", "ax", false), ("[a-]x", "-x", true), ("[", "[", true), ("a[b", "a[b", true),
        ("irc/**", "irc/x/y", true), ("a**b", "a/x/b", true), ("", "", true), ("", "a", false),
        ("*", "", true), ("nick*", "nickname", true), ("nick", "nickname", false),
        ("x/a**b/c", "x/ab/c", true), ("x/a**b/c", "x/a/y/b/c", true),
        ("**/**/a", "b/c/a", true), ("a/**/b", "a/b", true), ("a/**/b", "ab", false),
        ("\\*", "\\x", true), ("*.sla*", "a.slash", true),
    ])
    func patternsMatchWholeTexts(pattern: String, text: String, isMatch: Bool) {
        #expect(Glob(pattern).matches(text) == isMatch)
    }

    @Test func manyStarsDoNotTakeForever() {
        let pattern = String(repeating: "*a", count: 60)
        #expect(!Glob(pattern).matches(String(repeating: "a", count: 400) + "b"))
    }
}
