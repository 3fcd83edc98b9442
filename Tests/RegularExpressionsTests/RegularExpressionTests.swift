import Testing

@testable import RegularExpressions

struct RegularExpressionTests {
    @Test(
        arguments: [
            ("", [""], ["a"]),
            ("abc", ["abc"], ["ab", "abcd", "xabc"]),
            ("a|bc|", ["a", "bc", ""], ["b", "abc"]),
            ("a*b+c?", ["b", "aabbc"], ["ac", "abcc"]),
            ("(ab)+", ["ab", "abab"], ["", "aba"]),
            ("(?:a|b){2,3}", ["ab", "bba"], ["a", "abab"]),
            ("a{2}", ["aa"], ["a", "aaa"]), ("a{2,}", ["aa", "aaaaa"], ["a"]),
            ("a{,2}", ["", "aa"], ["aaa"]), ("a{0}", [""], ["a"]),
            ("a{x}", ["a{x}"], ["a"]), ("a{2}}", ["aa}"], ["aa"]),
            ("x*?y", ["y", "xxy"], ["x"]),
            ("(a|b)*abb", ["abb", "babaabb"], ["ab", "abba"]),
            ("(a*)*b", ["b", "aab"], ["a"]), ("(|a)+", ["", "aaa"], ["b"]),
            ("[a-c]", ["a", "c"], ["d", "-"]), ("[^a-c]", ["d", "\n"], ["b", ""]),
            ("[]a]", ["]", "a"], ["b"]), ("[a-]", ["a", "-"], ["b"]),
            ("[\\]\\\\-]", ["]", "\\", "-"], ["a"]), ("[\\w.-]+", ["a_1.-é"], ["a b"]),
            ("[^\\W_]", ["a", "7"], ["_", "-"]), ("[[:alpha:][:digit:]]+", ["aé9"], ["_"]),
            (".", ["a", "é", "🙂"], ["", "\n", "ab"]), ("(?s).", ["\n"], ["ab"]),
            ("(?i)straße", ["STRAßE", "straße"], ["strasse"]),
            ("(?i:a)b", ["Ab", "ab"], ["aB"]), ("a(?i)b(?-i)c", ["aBc"], ["aBC", "ABc"]),
            ("(?i)[a-c]+", ["aBC"], ["d"]), ("(?i)é", ["É"], ["e"]),
            ("(?<year>\\d{4})-(?P<month>\\d\\d)", ["2026-11"], ["26-11"]),
            ("\\d+\\s\\w+\\h\\S\\D\\W", ["12 ab\tx- "], ["12ab"]),
            ("\\p{Lu}\\p{L}*\\PL", ["Éa1"], ["éa1"]), ("\\p{^L}", ["1"], ["a"]),
            ("^a$", ["a"], ["a\n"]), ("\\Aa\\z", ["a"], []), ("a^b", [], ["ab"]),
            ("(?m)a$\n^b", ["a\nb"], ["a\n b"]),
            ("a\\b.\\bb", ["a b"], ["axb"]), ("a\\Bb", ["ab"], []),
            ("\\x41\\u0042\\u{43}\\x{44}\\t\\0", ["ABCD\t\0"], ["ABCD"]),
            ("\\/\\.\\*\\-\\_", ["/.*-_"], []), ("a]b}", ["a]b}"], []),
        ] as [(String, [String], [String])])
    func matchesWholeTexts(_ source: String, _ yes: [String], _ no: [String]) throws {
        let expression = try RegularExpression(source)
        for text in yes { #expect(expression.matches(Array(text.utf8)), "\(text)") }
        for text in no { #expect(!expression.matches(Array(text.utf8)), "\(text)") }
    }

    @Test(
        arguments: [
            ("(a", "unclosed `(`"), ("a)", "unmatched `)`"),
            ("[a", "unclosed `[`"), ("*a", "nothing to repeat before `*`"),
            ("a|+", "nothing to repeat before `+`"),
            ("a**", "a repetition cannot follow another; put the first in a group"),
            ("a*+", "possessive repetition such as `*+` is not supported"),
            ("^*", "an anchor such as `^` or `\\b` cannot be repeated"),
            ("a{3,2}", "the repetition {3,2} is reversed"),
            ("a{1001}", "a repetition count cannot exceed 1000"),
            ("(a{100}){100}{2}", "a repetition cannot follow another; put the first in a group"),
            ("((a{100}){100}){2}", "it has more than 2000 steps once its repetitions are expanded"),
            ("(?=a)", "lookaround such as `(?=` is not supported"),
            ("(?<!a)", "lookaround such as `(?<!` is not supported"),
            ("(?>a)", "atomic groups `(?>` are not supported"),
            ("(a)\\1", "backreferences such as `\\1` are not supported"),
            ("(?x:a)", "unknown group `(?x`"), ("(?<a", "a group name has no closing `>`"),
            ("\\q", "unknown escape `\\q`"),
            ("\\", "trailing backslash; write `\\\\` for a literal backslash"),
            ("[z-a]", "the range `z-a` is reversed"),
            ("[a[b]", "write `\\[` for a `[` within a class"),
            ("[[:vowel:]]", "unknown class `[:vowel:]`"), ("\\p{Zq}", "unknown category `\\p{Zq}`"),
            ("\\xg", "`\\x` takes 2 hexadecimal digits"),
            ("\\u{D800}", "`\\u` takes 4 hexadecimal"),
        ])
    func explainsWhatItCannotUse(_ source: String, _ reason: String) {
        let error = #expect(throws: InvalidExpression.self) { try RegularExpression(source) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func bytesThatAreNotUTF8CountAsReplacementCharacters() throws {
        #expect(try RegularExpression("a..b").matches([0x61, 0xFF, 0xC3, 0x62]))
        #expect(try RegularExpression("\\u{FFFD}+").matches([0xED, 0xA0, 0x80, 0xF5, 0xC0, 0x80]))
        #expect(try !RegularExpression("[a-z]").matches([0xE9]))
    }

    @Test func depthIsLimited() throws {
        let groups = { String(repeating: "(", count: $0) + String(repeating: ")", count: $0) }
        #expect(try RegularExpression(groups(32)).matches([]))
        #expect(throws: InvalidExpression.self) { try RegularExpression(groups(33)) }
        #expect(try RegularExpression("((((){1000}){1000}){1000}){1000}").matches([]))
    }

    /// Expressions on which backtracking engines take exponential time, and whether they match a
    /// long run of `a`.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("(a+)+$", true), ("(a|aa)+", true), ("(a*)*", true), ("(.*a){12}", true),
            ("(a?){30}a{30}", false), ("([a-z]+)*[0-9]", false),
        ] as [(String, Bool)])
    func takesLinearTime(_ source: String, _ matchesRun: Bool) throws {
        let expression = try RegularExpression(source)
        let run = [UInt8](repeating: 0x61, count: 5_000)
        #expect(expression.matches(run) == matchesRun)
        #expect(!expression.matches(run + Array("! x".utf8)))
    }
}
