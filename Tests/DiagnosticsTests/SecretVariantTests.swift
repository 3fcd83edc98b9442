import Foundation
import Testing

@testable import Diagnostics

/// Secrets in other encodings, and parts of secrets.
struct SecretVariantTests {
    private func masked(_ text: String, _ secret: String) -> String {
        SecretMask([Array(secret.utf8)]).masked(text)
    }

    @Test(arguments: [
        "P\\xe4ssw\\xf6rd-\\xdcber", "P\\344ssw\\366rd-\\334ber", "P%E4ssw%F6rd-%DCber",
        "P&auml;ssw&ouml;rd-&Uuml;ber", "P&#228;ssw&#xf6;rd-&#000220;ber", "PÄSSWÖRD-ÜBER",
        "pässwörd-über", "[80, 228, 115, 115, 119, 246, 114, 100, 45, 220, 98, 101, 114]",
        "50 e4 73 73 77 f6 72 64 2d dc 62 65 72", "P\\u00e4ssw\\u00f6rd-\\u00dcber",
    ])
    func lettersOutsideASCIIAreMaskedInOtherEncodings(_ spelling: String) {
        let expected = spelling.hasPrefix("[") ? "[***]" : "***"
        #expect(masked("a \(spelling) b", "Pässwörd-Über") == "a \(expected) b")
    }

    /// Secrets are looked for only at some backslashes of a run.
    @Test(arguments: [#"hunter2-Gate!9"#, #"\gate-hunter2"#, #"x41\gate-9\\"#])
    func secretsAreMaskedAfterAnyNumberOfBackslashes(_ secret: String) {
        let spellings = [
            secret, secret.replacingOccurrences(of: "\\", with: #"\\\\"#),
            secret.utf8.map { #"\x"# + String($0, radix: 16) }.joined(),
        ]
        for (spelling, count) in spellings.flatMap({ each in (0...100).map { (each, $0) } }) {
            let text = masked(
                "a " + String(repeating: "\\", count: count) + spelling + " b", secret)
            #expect(text.drop { $0 != "\\" && $0 != "*" }.allSatisfy { #"\* b"#.contains($0) })
            #expect(text.contains("***"))
        }
    }

    @Test(
        arguments: ["Pässwörd-Über", "Hasło-ż€1"],
        [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16IsMasked(_ secret: String, _ encoding: String.Encoding) throws {
        let data = try #require(secret.data(using: encoding))
        let mask = SecretMask([Array(secret.utf8)])
        #expect(mask.masked([UInt8](data)).filter { $0 != 0 } == SecretMask.stars)
        #expect(mask.masked("a \(data.base64EncodedString()) b") == "a *** b")
    }

    /// Forms that SQL, LDAP, Lua, `cat -v`, syslog, TeamCity, PowerShell, xtext, Snort and others give
    /// to special characters.
    @Test(arguments: [
        #"Tr0ub4dor&3""é"#, #"Tr0ub4dor\263\22\c3\a9"#, "Tr0ub4dor&3\"Ã©",
        #"Tr0ub4dor&3\"\195\169"#, "Tr0ub4dor&&3\"é", "tr0ub4dor+263+22+C3+A9",
        #"Tr0ub4dor#046#3#042#303#251"#, "Tr0ub4dor|26|3|22C3A9|", "Tr0ub4dor&3`\"é",
        "Tr0ub4dor^&3^\"é", "Tr0ub4dor&3”é", "Tr0ub4dor&3\"e\u{301}", "Tr0ub4dor?3??",
        #"Tr0ub4dor\N{AMPERSAND}3\"\233"#,
    ])
    func specialCharactersMayBeWrittenInAnyWay(_ spelling: String) {
        let text = masked("a \(spelling) b", "Tr0ub4dor&3\"é")
        #expect(text.hasPrefix("a ***") && text.hasSuffix(" b"), "\(text)")
        #expect(!text.contains("3") && text.utf8.count < 14, "\(text)")
    }

    @Test func textAroundASecretInAnotherSpellingIsKept() {
        let secret = "Tr0ub4dor&3\"é"
        #expect(masked(#"{"a":"Tr0ub4dor&3\"Ã©","b":1}"#, secret) == #"{"a":"***","b":1}"#)
        #expect(masked("<td>Tr0ub4dor&amp;3&quot;Ã©</td>", secret) == "<td>***</td>")
        #expect(masked("Tr0ub4dor and 4\nTr0ub4dor\n3", secret) == "Tr0ub4dor and 4\n***\n3")
        let other = #"Tö9$ł<Qz'w\7&k"#
        let escaped = #"Tö9\$ł<Qz'w\\7\&k"#
        #expect(
            masked(":s NOTICE * :no match for ^\(escaped)$", other)
                == ":s NOTICE * :no match for ^***$")
        #expect(masked("THE \(escaped) T", other) == "THE *** T")
        let fields = #"{"from":"Tr0ub4dor","to":"3"}"#
        #expect(masked(fields, secret) == fields)
        #expect(masked("<b>Tr0ub4dor</b> 3", secret) == "<b>Tr0ub4dor</b> 3")
        #expect(masked("correct horse 77", "correct-horse-77") == "correct horse 77")
    }

    @Test(arguments: ["#046#Tr0ub4dor3", "%26Tr0ub4dor3", "{amp}Tr0ub4dor3"])
    func theRestAfterASpecialCharacterIsMasked(_ spelling: String) {
        let text = masked("a \(spelling) b", "&Tr0ub4dor3")
        #expect(text.contains("***") && !text.contains("Tr0ub"), "\(text)")
    }

    /// Text that programs put into a secret: colours, HTML, and the ends of strings.
    @Test(arguments: [
        "correct\u{1B}[31m-77", "cor\u{1B}]8;;http://x/\u{7}rect-77", "cor#033[31mrect-77",
        "cor^[[01;31m^[[Krect-77", "cor\u{4}FF0000,00FF00rect-77", "cor<wbr>rect&zwnj;-77",
        "cor<span class=\"nv\">rect</span>-77", "cor\" \"rect-77", "cor\" + \"rect-77",
        "cor%E2%80%8Brect-77", "cor\u{2068}rect-77", "cor\u{202E}r\u{FE0F}ect-77",
        "correct-77 pw*0=correct; pw*1=-77",
    ])
    func interruptedSecretsAreMasked(_ spelling: String) {
        let text = masked("x \(spelling) y", "correct-77")
        #expect(text.contains("***") && !text.contains("rect") && !text.contains("77"), "\(text)")
    }

    @Test func ordinaryTextWithPartsOfASecretIsKept() {
        for text in [
            "correct the 77", "correct 77", #"{"correct":"-77"}"#, "correct,\n-77",
            "That is correct", "incorrect", "Tr0ub4dor scored 3 points",
            "Tr0ub4dor: 3 users",
            "Tr0ub4dor has 3 of them",
        ] {
            #expect(masked(text, "correct-77") == text)
            #expect(masked(text, "Tr0ub4dor&3") == text)
        }
    }

    @Test(arguments: [
        "got \"bad Tr0ub4dor&\"", "bad Tr0ub4dor&3...", "bad Tr0ub4dor&… x",

        "│ Tr0ub4do │", "Tr0ub4dor& \nx",
    ])
    func partsBeforeTheEndOfAStringOrColumnAreMasked(_ text: String) {
        let text = masked(text, "Tr0ub4dor&3\"é")
        #expect(text.contains("***") && !text.contains("ub4"), "\(text)")
    }

    @Test func boldTextIsMasked() {
        let bold = "Zx9kLwq7-Pm2".map { "\($0)\u{8}\($0)" }.joined()
        #expect(masked("a \(bold) b", "Zx9kLwq7-Pm2").filter { $0 != "\u{8}" } == "a *** b")
    }

    @Test func aLetterMayReplaceOneOutsideASCII() {
        #expect(masked("key=\"tr0ub4dor3e\"", "Tr0ub4dor&3\"é") == "key=\"***e\"")
    }

    @Test func combiningAccentsAreMasked() {
        #expect(masked("a passwort-e\u{301} b", "passwort-é") == "a *** b")
        #expect(masked("a e\u{301}passwort b", "épasswort") == "a e\u{301}*** b")
    }

    @Test func doubledQuotesAreMasked() {
        let secret = "Tr0ub4dor&3\"é"
        #expect(masked("x \"Tr0ub4dor&3\"\"é\",", secret) == "x \"***\",")
        #expect(masked("'It''s 9%'", "It's 9%") == "'***'")
    }

    @Test(arguments: [
        "[c, o, r, r, e, c, t, -, 7, 7]", "['c', 'o', 'r', 'r', 'e', 'c', 't', '-', '7', '7']",
        "c o r r e c t - 7 7", "\"c\",\"o\",\"r\",\"r\",\"e\",\"c\",\"t\",\"-\",\"7\",\"7\"",
        "c-o-r-r-e-c-t---7-7", "c<br>o<br>r<br>r<br>e<br>c<br>t<br>-<br>7<br>7",
        "cor\u{2}rect\u{3}-77", "cor\u{3}04rect\u{3}12,1-77", "cor\u{1B}[31mrect\u{1B}[0m-77",
        "cor\\u001b[31mrect\\u001b[0m-77", "cor\u{200B}rect\u{AD}-\u{FEFF}77",
        "cor\\u200brect&#8203;-77",
    ])
    func singleCharactersAndFormattingCodesAreMasked(_ spelling: String) {
        let text = masked("x \(spelling) y", "correct-77")
        #expect(text.contains("***") && !text.contains("c") && !text.contains("7"), "\(text)")
    }

    @Test func signedBytesAreMasked() {
        let secret = "Tr0ub4dor&3\"é"
        let bytes = secret.utf8.map { String(Int8(bitPattern: $0)) }.joined(separator: ", ")
        #expect(masked("[\(bytes)]", secret) == "[***]")
    }

    @Test func passwordOfSASLLoginIsMasked() {
        let data = Data("Tr0ub4dor-9x".utf8).base64EncodedString()
        #expect(masked("\(data) Tr0ub4dor-9x", data) == "*** ***")
    }

    @Test(arguments: [
        #"'It'\''s 9%{&Ca'"#, #"'It'"'"'s 9%{&Ca'"#, "=?UTF-8?Q?It's_9=25{&Ca?=",
        "It&#00000039;s 9%{&Ca",
    ])
    func quotedSpellingsAreMasked(_ spelling: String) {
        let found = masked(spelling, "It's 9%{&Ca")
        #expect(found.contains("***"), "\(found)")
        #expect(!found.contains("9%{") && !found.contains("9=25"), "\(found)")
    }

    /// As `hexdump -C` writes them.
    @Test func aPartIsMaskedAtTheEndOfALineBeforeABar() {
        let text = "|PASS Zx9-Canary.|\n|Qw..|"
        #expect(masked(text, "Zx9-Canary.Qw") == "|PASS ***|\n|Qw..|")
        #expect(masked("|PASS Zx9-Canary.|x", "Zx9-Canary.Qw") == "|PASS ***|x")
    }

    @Test func thePasswordInSASLDataIsMasked() {
        let data = Data("alice\0alice\0Zx9-Canary.Qw".utf8).base64EncodedString()
        #expect(
            masked("wrong password Zx9-Canary.Qw for alice", data) == "wrong password *** for alice"
        )
        let other = Data("alice\0Zx9-Canary.Qw".utf8).base64EncodedString()
        #expect(masked("Zx9-Canary.Qw", other) == "Zx9-Canary.Qw")
    }
}
