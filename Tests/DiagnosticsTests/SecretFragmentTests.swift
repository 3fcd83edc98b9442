import Foundation
import Testing

@testable import Diagnostics

/// Secrets in fragments, as logs of single characters, lists of words, coloured text and tables
/// contain them.
struct SecretFragmentTests {
    private static let secrets = [
        "hunter2-Gate!9", "Zq8vKw3mT1xR", "tr0ub4dor&3/ex", "correct-horse-battery-staple",
    ]

    private func masked(_ text: String, _ secret: String) -> String {
        SecretMask([Array(secret.utf8)]).masked(text)
    }

    private func fragments(_ secret: String, _ length: Int) -> [String] {
        stride(from: 0, to: secret.count, by: length).map {
            String(secret.dropFirst($0).prefix(length))
        }
    }

    /// Expects that the text between the marks is masked, except for special characters.
    private func expectMasked(_ text: String, _ secret: String) {
        let result = masked(text, secret)
        #expect(result.contains("***"), "\(result)")
        for fragment in fragments(secret, 4).dropLast() {
            #expect(!result.contains(fragment), "\(result)")
        }
    }

    @Test(arguments: secrets, [2, 3, 4])
    func wordsOfAListAreMasked(_ secret: String, _ length: Int) throws {
        let words = fragments(secret, length)
        let json = try JSONEncoder().encode(words)
        #expect(masked(String(decoding: json, as: UTF8.self), secret) == #"["***"]"#)
        expectMasked(words.map { "TOKEN(\($0))" }.joined(separator: " "), secret)
        expectMasked("key: " + words.joined(separator: " ") + " is set", secret)
        expectMasked("key: " + words.joined(separator: "-") + " is set", secret)
        let lines = words.enumerated().map { "\($0): STR '\($1)'" }
        expectMasked(lines.joined(separator: "\n"), secret)
    }

    @Test(arguments: secrets)
    func charactersInOtherwiseEqualLinesAreMasked(_ secret: String) {
        let formats: [(Int, Character) -> String] = [
            { _, letter in "write(1, \"\(letter)\", 1) = 1" },
            { "12:00:\(10 + $0).\(100 + 37 * $0) read(0, \"\($1)\", 1) = 1" },
            { "2026-11-28T10:00:\(10 + $0).\(100 + 37 * $0)Z debug key=\($1)" },
            { "pw[\($0)] = '\($1)'" },
            { "  mov byte [rsp+\($0)], 0x\(String($1.asciiValue ?? 0, radix: 16))" },
            { "0x\(String($1.asciiValue ?? 0, radix: 16))  \($1)" },
            { _, letter in "- \(letter)" },
        ]
        for format in formats {
            let lines = secret.enumerated().map { format($0, $1) }
            let result = masked(lines.joined(separator: "\n"), secret)
            #expect(result.contains("***"), "\(result)")
            #expect(!result.contains(lines[2]), "\(result)")
        }
    }

    @Test(arguments: secrets)
    func charactersWithCodesBetweenThemAreMasked(_ secret: String) {
        let formats: [(Int, Character) -> String] = [
            { "\u{1B}[38;5;\(16 + $0)m\($1)" },
            { #"\u001b[38;5;\#(16 + $0)m\#($1)"# },
            { "\u{3}\($0 < 10 ? "0" : "")\($0 % 16)\($1)" },
            { "\u{3}\($0 < 10 ? "0" : "")\($0 % 16),01\($1)" },
            { "<span style=\"color:#\(10 + $0)00ff\">\($1)</span>" },
            { "i:\($0);s:1:\"\($1)\";" },
        ]
        for format in formats {
            let text = secret.enumerated().map { format($0, $1) }.joined()
            let result = masked(text, secret)
            #expect(result.contains("***"), "\(result)")
            #expect(!result.contains(format(2, Array(secret)[2])), "\(result)")
        }
    }

    @Test(arguments: secrets)
    func partsInTablesAndQuotesAreMasked(_ secret: String) {
        let (first, rest) = (secret.prefix(10), secret.dropFirst(10))
        for text in [
            "| 200 | \(first) | ok |", "too long: '\(first)' (cut)", "│ \(first) │ x │",
            "user=\(first) pass2=\(rest)",
        ] {
            let result = masked(text, secret)
            // This part consists of words, which may be ordinary text.
            if secret.hasPrefix("correct"), text.hasPrefix("user") { continue }
            #expect(!result.contains(first), "\(result)")
        }
        for line in fragments(secret, 7).dropLast() {
            for text in ["| \(line) |", ":irc.example NOTICE al :| \(line) |"] {
                let isLetters = line.allSatisfy(\.isLetter)
                #expect(masked(text, secret).contains(line) == isLetters, "\(text)")
            }
        }
    }

    @Test(arguments: secrets, [1, 2])
    func shortPartsWithMarkupBetweenThemAreMasked(_ secret: String, _ length: Int) {
        let parts = fragments(secret, length).map { $0.replacing("&", with: "&amp;") }
        for text in [
            parts.map { "<span class=\"n\">\($0)</span>" }.joined(),
            parts.joined(separator: "<wbr/>"),
            parts.map { "\u{1B}[1;31m\($0)\u{1B}[0m" }.joined(),
            parts.map { "\u{3}04,01\($0)\u{3}" }.joined(),
        ] {
            let result = masked("a: \(text) end", secret)
            #expect(result.contains("***"), "\(result)")
            #expect(!result.contains(parts[1] + "<"), "\(result)")
            #expect(!result.contains(parts[1] + "\u{1B}"), "\(result)")
            #expect(result.hasPrefix("a: ") && result.hasSuffix(" end"), "\(result)")
        }
        let others = "<td>\(secret.prefix(4))</td><td>\(secret.suffix(4))</td>"
        #expect(masked(others, secret) == others)
    }

    @Test(arguments: secrets)
    func textThatWasCorrectedOrUnderlinedIsMasked(_ secret: String) {
        let parts = fragments(secret, 5)
        for rubout in ["\u{8} \u{8}", "^H ^H", "\u{8}\u{1B}[K"] {
            let text = parts.joined(separator: "q\(rubout)")
            #expect(masked("PASS \(text)\n", secret) == "PASS ***\n")
        }
        for mark in ["\u{8}", "^H"] {
            let text = secret.map { "_\(mark)\($0)" }.joined()
            #expect(masked(text + " x", secret) == "_\(mark)*** x")
        }
        #expect(masked("pw \u{1B}[m\(secret.dropFirst(3))", secret) == "pw \u{1B}[m***")
    }

    @Test(arguments: secrets)
    func longNumbersAreMasked(_ secret: String) {
        let bytes = Array(secret.utf8.prefix(12))
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        for separator in [",", ".", "_", "'"] {
            var digits = String(number)
            var groups: [String] = []
            while !digits.isEmpty {
                groups.insert(String(digits.suffix(3)), at: 0)
                digits = String(digits.dropLast(3))
            }
            let text = groups.joined(separator: separator)
            #expect(masked("length \(text) bytes", secret) == "length *** bytes")
        }
        // The least significant byte comes first.
        let binary = String(number.byteSwapped, radix: 2)
        let padded = String(repeating: "0", count: 64 - binary.count) + binary
        #expect(masked("rax = \(padded)", secret) == "rax = ***")
        let register = bytes.reversed().map { String($0, radix: 16) }.joined()
        #expect(masked("uint128 = 0x\(register)", secret) == "uint128 = ***")
    }

    @Test(arguments: secrets)
    func eachLineOfAHexDumpIsMasked(_ secret: String) {
        let bytes = Array("PASS x\(secret)".utf8)
        for count in [6, 8] {
            for start in stride(from: count, to: bytes.count - count, by: count) {
                let line = bytes[start..<start + count]
                let text = String(decoding: line, as: UTF8.self)
                for radix in [2, 16] {
                    let digits = line.map {
                        let digits = String($0, radix: radix)
                        return String(repeating: "0", count: (radix == 2 ? 8 : 2) - digits.count)
                            + digits
                    }
                    let row = "\(String(start, radix: 16)): \(digits.joined(separator: " "))"
                    let result = masked("0000000\(row)  \(text)", secret)
                    #expect(!result.contains(digits[2]), "\(result)")
                    let isLetters = text.allSatisfy(\.isLetter)
                    #expect(isLetters || !result.contains(text), "\(result)")
                }
            }
        }
    }

    @Test func wordsOfASecretThatMayBeOrdinaryTextAreKept() {
        for (text, secret) in [
            ("operator12 said hi", "operator12-pw"),
            ("the self-service is open", "self-service-9x"),
            ("on 2024-11-28 at 10:00", "Pass-2024-11-28x"),
            ("in room 12 of admin", "admin-room-12"),
            ("correct the horse or the battery", "correct-horse-battery"),
            ("1. correct 2. horse 3. battery", "correct-horse-battery"),
            ("def correct(horse, battery):", "correct-horse-battery"),
            ("| correct | horse | battery |", "correct-horse-battery"),
            ("Alice Pass, 20:24", "alice-pass-2024"), ("alice (pass) 20:24:00", "alice-pass-2024"),
            ("if (alice && pass != 2024) return", "alice-pass-2024"),
            ("ngircd 26.1, hunter 2.9, alice 2024.2", "hunter2-Gate!9"),
            ("yield Operator, match.group(1)", "operator12-pw"),
            (":srv 001 lidper2 :Welcome", "Zq8vK lidper2 USER lidper2 0"),
            ("hunter2!~gate@10.0.0.9 QUIT", "hunter2-Gate!9"),
        ] {
            #expect(masked(text, secret) == text)
        }
    }

    @Test(arguments: ["q7-Vänskap/44#", "пароль-2024", "zażółć-7gęś", "naïve-Bär-31"])
    func charactersOutsideASCIIAreMaskedInLists(_ secret: String) throws {
        let formats: [(Int, Character) -> String] = [
            { "s[\($0)] = '\($1)' " },
            { _, letter in "{\"name\":\"char\",\"data\":\"\(letter)\"}," },
            { "[\($0)]=>string(1) \"\($1)\" " }, { _, letter in "<string>\(letter)</string>" },
            { _, letter in "\(letter) " }, { "\($0):\($1) " },
        ]
        for format in formats {
            let result = masked(secret.enumerated().map { format($0, $1) }.joined(), secret)
            #expect(result.contains("***"), "\(result)")
            #expect(!result.contains(format(3, Array(secret)[3])), "\(result)")
        }
        let numbers = secret.unicodeScalars.map { "\($0.value)" }.joined(separator: ", ")
        #expect(masked("[\(numbers)]", secret) == "[***]")
        let escaped = secret.unicodeScalars.map { "\"\\u\(String($0.value, radix: 16))\"" }
        #expect(masked(escaped.joined(separator: ","), secret).contains("***"))
    }

    /// As Python's `email` and the like encode long values.
    @Test func partsWithEscapeSequencesAreMasked() {
        let (secret, other) = ("Tr0ub4dor&3é\"x", "Zx9$kL?wq7-Pm<2")
        for (text, secret) in [
            ("p*0*=utf-8''Tr0ub; p*1*=4dor%263; p*2*=%C3%A9%22x end", secret),
            ("p*0*=utf-8''Tr0; p*1*=ub4dor%263; p*2*=%C3%A9%22x end", secret),
            ("p*0=\"Tr0ub4d\"; p*1=\"or&3é\\\"x\" end", secret), ("x \"or&3é\\\"x\" end", secret),
            ("Tr0ub4d<wbr>or&amp;3é&quot;x", secret), ("Tr0ub4dor&3M-CM-)\"x", secret),
            ("content: \"Zx9\\24 kL\\3f wq7\\2d Pm\\3c 2\";", other),
            ("RSI=0x71773f4c6b243978, RDI=0x0", "x9$kL?wq-Pm"),
            ("p*1*=9%24kL%3Fwq7;", other), ("p*0*=Zx9%24kL; p*1*=%3Fwq7-Pm%3C2", other),
            ("inside %24kL%3Fwq7-P end", other), ("Zx9$kL<i>?wq7-</i>Pm&lt;2", other),
        ] {
            let result = masked(text, secret)
            #expect(result.contains("***"), "\(result)")
            for part in ["Tr0ub", "4dor", "or&3", "9%24", "wq7-", "3é"] {
                #expect(!result.contains(part), "\(result)")
            }
        }
    }

    @Test(arguments: secrets)
    func otherEncodingsAreMasked(_ secret: String) {
        let bits = secret.utf8.map { byte in
            String(repeating: "0", count: byte.leadingZeroBitCount) + String(byte, radix: 2)
        }
        expectMasked(secret.flatMap { [$0, $0] }.map(String.init).joined(), secret)
        #expect(masked("bits \(bits.joined())", secret) == "bits ***")
        let base64 = Data("user:\(secret) is the one to use".utf8).base64EncodedString()
        for mark in ["> ", "# ", "; ", "  | "] {
            let lines = fragments(base64, 16).map { mark + $0 }
            expectMasked(lines.joined(separator: "\n"), base64)
        }
        let groups = fragments(Data(secret.utf8).base64EncodedString(), 4)
        for separator in [" ", "\",\"", ", "] {
            let result = masked("x: \(groups.joined(separator: separator))", secret)
            #expect(!result.contains(groups[0]) && !result.contains(groups[1]), "\(result)")
        }
    }

    @Test(arguments: [
        ("'correct '\n'horse '\n'battery '\n'kF9#mBx2'", "correct horse battery kF9#mBx2"),
        ("\"correct\\\n  \\ horse\\\n  \\ battery\"", "correct horse battery"),
        ("'correct-horse-'\n     'battery-'\n     'staple'", "correct-horse-battery-staple"),
        ("\"turquoise-\" +\n    \"Lamp77/\" +\n    \"staple\"", "turquoise-Lamp77/staple"),
        ("(b'amber-fa'\r\n b'lcon-42-'\r\n b'tulips')", "amber-falcon-42-tulips"),
        (
            "=?utf-8?q?Karlsbad=5FGro?=\n =?utf-8?q?=C3=9Fm=C3=BCtze?=",
            "Karlsbad_Großmütze"
        ),
    ])
    func stringsThatContinueInTheNextLineAreMasked(_ text: String, _ secret: String) {
        let result = masked(text, secret)
        #expect(result.contains("***"))
        #expect(!result.contains("\n"), "\(result)")
    }

    @Test func wordsInDifferentLinesAreKept() {
        for text in ["'hunter'\nis 'Gate'", "hunter2\nanother line"] {
            #expect(masked(text, "hunter2-Gate!9").hasSuffix(String(text.suffix(5))))
        }
    }

    @Test(arguments: [
        "\u{1B}(B", "\u{1B}]8;;http://x/\u{1B}\\", "\u{1B}]0;title\u{7}", "\u{1B}7", "\u{1B}=",
        "\u{1B}P+q544e\u{1B}\\", "\u{9B}1m", "\u{1B}[38:2::1:2:3m", "\u{1B}(B\u{1B}[m",
    ])
    func sequencesOfTerminalsDoNotHideASecret(_ sequence: String) {
        #expect(masked("a pi\(sequence)9Z b", "pi9Z") == "a *** b")
        #expect(masked("a p\(sequence)lum\(sequence)9x b", "plum9x") == "a *** b")
    }

    @Test func unfinishedSequencesOfTerminalsAreKept() {
        for text in ["pi\u{1B}]8;;x9Z", "pi\u{1B}", "pi\u{1B}]x\n9Z", "pi\u{1B}]\u{1B}9Z"] {
            #expect(masked(text, "pi9Z") == text)
        }
    }

    @Test(arguments: ["pi9Z", "m_p7", "mérit7", "zażółć99"])
    func overstruckCharactersAreMasked(_ secret: String) {
        for backspace in ["\u{8}", "^H"] {
            let bold = secret.map { "\($0)\(backspace)\($0)" }.joined()
            let before = secret.map { "_\(backspace)\($0)" }.joined()
            let after = secret.map { "\($0)\(backspace)_" }.joined()
            let both = secret.map { "_\(backspace)\($0)\(backspace)\($0)" }.joined()
            let typed = secret.map { "x\(backspace)\($0)" }.joined()
            for text in [bold, before, after, both, typed] {
                // The first character, and what is typed over it, may stay.
                let result = masked("a \(text) b", secret).replacing(backspace, with: "")
                let left = result.filter { $0 != "_" && $0 != "x" && $0 != secret.first }
                #expect(left == "a *** b", "\(result)")
            }
        }
    }

    @Test func softLineBreaksEndAPart() {
        for end in ["=", "\\"] {
            let result = masked("a Pumpe#6\(end)\nzz b", "Pumpe#61wx+q")
            #expect(result.hasPrefix("a ***") && result.hasSuffix("\nzz b"), "\(result)")
            #expect(masked("a Pumpe#6\(end)", "Pumpe#61wx+q") == "a ***\(end)")
        }
    }

    @Test func charactersInAlignedLinesAreMasked() {
        let secret = "Gnu9x\"8elp"
        let lines = secret.enumerated().map { index, letter in
            let call = "read(0, \"\(letter == "\"" ? "\\\"" : String(letter))\", 1)"
            return "13:34:59.2687\(10 + index) " + call
                + String(repeating: " ", count: 24 - call.count) + "= 1 <0.00000\(5 + index % 2)>"
        }
        #expect(!masked(lines.joined(separator: "\n"), secret).contains("\"8\""))
    }
}
