import Testing

@testable import Diagnostics

struct SecretMaskTests {
    private static let secret = "k9&<\"Zq\\/% +x'Y"

    private func masked(_ text: String, _ secret: String = secret) -> String {
        SecretMask([Array(secret.utf8)]).masked(text)
    }

    @Test(arguments: [
        secret,
        "k9&<\\\"Zq\\\\/% +x'Y",
        "\\153\\071\\046\\074\\042\\132\\161\\134\\057\\045\\040\\053\\170\\047\\131",
        "\\x{6b}\\x{39}\\x{26}\\x{3c}\\x{22}Zq\\x{5c}/% +x'\\x{59}",
        "\\U0000006B\\U00000039\\U00000026\\U0000003C\\U00000022Zq\\U0000005C/% +x'Y",
        "%u006b%u0039%u0026%u003c%u0022%u005a%u0071%u005c%u002f%u0025%u0020%u002bx'Y",
        "k9%252526%25253C%252522Zq%25255C%25252F%252525%252520%25252Bx%252527Y",
        "k9&amp;&lt;&quot;Zq&bsol;&sol;&percnt;&#32&plus;x&apos;Y",
        "k9&amp&lt&quotZq\\/% +x&#39Y",
        "k9\\u0026#38;\\u0026#60;\\u0026quot;Zq\\/% +x\\u0026#39;Y",
        "k9%26amp%3B%26lt%3B%26quot%3BZq%5C%2F%25%20%2Bx%26%2339%3BY",
        "k9&<\"Zq=\r\n\\/% +x'Y",
        "k9&<\"Zq\\/\r\n% +x'Y",
        "k9&<\"Zq\\/\\r\\n% +x'Y",
        "k9&<\"Z\\\nq\\/% +x'Y",
        "k\09\0&\0<\0\"\0Z\0q\0\\\0/\0%\0 \0+\0x\0'\0Y",
        "\\k\\9\\&\\<\\\"\\Z\\q\\\\\\/\\%\\ \\+\\x\\'\\Y",
        "k9&<\\\\\\\"Zq\\\\\\\\/% +x'Y",
        "k9&amp;&lt;&quot;Zq\\/% +x&#39;Y",
        "k9&amp;&lt;&#34;Zq\\/% +x&apos;Y",
        "k9&#x26;&#x3c;&#x22;Zq\\/% +x&#x27;Y",
        "k9&amp;amp;&amp;lt;&amp;quot;Zq\\/% +x&amp;#39;Y",
        "k9%26%3C%22Zq%5C%2F%25%20%2Bx%27Y",
        "k9%26%3c%22Zq%5c%2f%25+%2bx%27Y",
        "%6B%39%26%3C%22%5A%71%5C%2F%25%20%2B%78%27%59",
        "k9%2526%253C%2522Zq%255C/%2525%2520%252Bx%2527Y",
        "k9\\x26\\x3c\\x22Zq\\x5c\\x2f\\x25\\x20\\x2bx\\x27Y",
        "k9\\u0026\\u003C\\u0022Zq\\u005C\\/\\u0025 +x\\u0027Y",
        "k9\\u{26}\\u{3c}\\u{22}Zq\\u{5c}/% +x'Y",
        "k9=26=3C=22Zq=5C/=25 +x'Y",
        "K9&<\"ZQ\\/% +X'y",
        "6b39263c225a715c2f25202b782759",
        "6B 39 26 3C 22 5A 71 5C 2F 25 20 2B 78 27 59",
        "6b:39:26:3c:22:5a:71:5c:2f:25:20:2b:78:27:59",
    ])
    func spellingsAreMasked(_ spelling: String) {
        #expect(masked("before \(spelling) after") == "before *** after")
        #expect(masked("before\(spelling)after") == "before***after")
    }

    /// `\0` and similar bytes before the secret shift its base64 digits.
    @Test(arguments: [
        ("c2VjcmV0LXBhc3M=", "***"), ("AG1lAHNlY3JldC1wYXNz", "***"),
        ("data=bWU6c2VjcmV0LXBhc3M6eA==;", "data=***;"), ("AG1lMgBzZWNyZXQtcGFzcw==", "***"),
    ])
    func base64IsMaskedWithTheDataAroundIt(_ text: String, _ expected: String) {
        #expect(masked(text, "secret-pass") == expected)
    }

    @Test func base64ForURLsIsMasked() {
        // "???>>>secret" in base64 is "Pz8/Pj4+c2VjcmV0".
        #expect(masked("x Pz8_Pj4-c2VjcmV0 y", "???>>>secret") == "x *** y")
        #expect(masked("x Pz8/Pj4+c2VjcmV0 y", "???>>>secret") == "x *** y")
    }

    /// The escapes of TeamSpeak and of IRC's tags.
    @Test func theEscapesOfDialectsAreMasked() {
        #expect(masked("token=a\\sb\\pc\\:d\\\\e", "a b|c;d\\e") == "token=***")
    }

    @Test(arguments: [
        "pass-wörd-ß-🙂", "pass-w\\u00f6rd-\\u00DF-\\ud83d\\ude42",
        "pass-w&#246;rd-&#xDF;-&#128578;", "pass-w%C3%B6rd-%C3%9F-%F0%9F%99%82",
        "pass-w\\xc3\\xb6rd-\\303\\237-\\U0001F642", "pass-w\\u{f6}rd-\\x{df}-\\u{1f642}",
    ])
    func charactersOutsideASCIIAreMasked(_ spelling: String) {
        #expect(masked("x \(spelling) y", "pass-wörd-ß-🙂") == "x *** y")
    }

    @Test func aSecretThatIsCutOffAtTheEndIsMasked() {
        #expect(masked("PASS hunter2-long", "hunter2-longer") == "PASS ***")
        #expect(masked("PASS hunte", "hunter2-longer") == "PASS hunte")
    }

    @Test func theRestOfASecretIsMasked() {
        #expect(masked("2-longer now", "hunter2-longer") == "*** now")
        #expect(masked("a\n2-longer now", "hunter2-longer") == "a\n*** now")
        #expect(masked("a 2-longer now", "hunter2-longer") == "a *** now")
        #expect(masked("onger now", "hunter2-longer") == "onger now")
        #expect(masked("a 2-long now", "hunter2-longer") == "a 2-long now")
    }

    @Test func aSecretInTwoLinesIsMasked() {
        #expect(masked("PASS hun\r\nter2-longer now", "hunter2-longer") == "PASS *** now")
        #expect(masked("PASS hun\n ter2-longer now", "hunter2-longer") == "PASS *** now")
        #expect(masked("hun\nter", "hunter") == "hun\nter")
    }

    @Test(arguments: [
        ("abc", "abc", "***"), ("abc", "PASS abc", "PASS ***"), ("abc", "abcd xabc", "abcd xabc"),
        ("abc", "{\"key\":\"abc\"}", "{\"key\":\"***\"}"),
        ("a", "a man, a plan", "*** man, *** plan"),
        ("abcd", "xabcdx", "x***x"), ("abc", "YWJj", "YWJj"),
    ])
    func shortSecretsAreMaskedOnlyAsWholeWords(_ secret: String, _ text: String, _ shown: String) {
        #expect(masked(text, secret) == shown)
    }

    @Test func theLongestSecretIsMasked() {
        let mask = SecretMask(["hunter2", "hunter2-more", "more"].map { Array($0.utf8) })
        #expect(mask.masked("a hunter2-more b") == "a *** b")
        #expect(mask.masked("a hunter2 b more c") == "a *** b *** c")
    }

    @Test func excerptsKeepTheirPositions() {
        let source = SourceText(path: "a.chat", text: "a -> PASS hunter2\nb -> x\n")
        let shown = SecretMask([Array("hunter2".utf8)]).masked(source)
        #expect(String(decoding: shown.bytes, as: UTF8.self) == "a -> PASS *******\nb -> x\n")
        #expect(shown.lineStarts == source.lineStarts)
    }

    @Test(arguments: [("hunter", true), ("hunte", false), ("12345678", false), ("12345x", true)])
    func onlyLongSecretsThatAreNotNumbersAreHiddenEverywhere(_ secret: String, _ isHidden: Bool) {
        var mask = SecretMask()
        mask.hide(Array(secret.utf8))
        #expect((mask.masked("x \(secret) y") == "x *** y") == isHidden)
    }

    @Test func textWithoutSecretsIsUnchanged() {
        #expect(SecretMask([[]]).isEmpty)
        for text in ["", "%", "\\", "&", "%2", "\\u", "\\u{", "&#", "&#x;", "=", "k9", "\\x4"] {
            #expect(masked(text) == text)
        }
    }

    @Test func numberOfLearnedSecretsIsLimited() {
        var mask = SecretMask()
        for number in 0..<(SecretMask.learnedMax + 1) {
            mask.learn(Array("secret-\(number)-".utf8))
            mask.learn(Array("secret-\(number)-".utf8))
        }
        let last = SecretMask.learnedMax - 1
        #expect(mask.masked("secret-\(last)-") == "***")
        #expect(mask.masked("secret-\(last + 1)-") == "secret-\(last + 1)-")
    }
}
