import Testing

@testable import Diagnostics

/// Secrets in encoded data, and the work of finding them.
struct SecretScannerTests {
    private func masked(_ text: String, _ secret: String = "secret-pass") -> String {
        SecretMask([Array(secret.utf8)]).masked(text)
    }

    @Test(arguments: [
        "0x73, 0x65, 0x63, 0x72, 0x65, 0x74, 0x2d, 0x70, 0x61, 0x73, 0x73",
        "73,65,63,72,65,74,2d,70,61,73,73", "73.65.63.72.65.74.2D.70.61.73.73",
        "73 65 63 72 65 74 2d 70  61 73 73", "7365 6372 6574 2d70 6173 73",
        "73\", \"65\", \"63\", \"72\", \"65\", \"74\", \"2d\", \"70\", \"61\", \"73\", \"73",
        "115, 101, 99, 114, 101, 116, 45, 112, 97, 115, 115",
        "115 101 99 114 101 116 45 112 97 115 115",
        "115\n101\n99\n114\n101\n116\n45\n112\n97\n115\n115",
        "163 145 143 162 145 164 055 160 141 163 163",
    ])
    func listsOfNumbersAreMasked(_ spelling: String) {
        #expect(masked("x [\(spelling)] y") == "x [***] y")
        #expect(masked("before\(spelling)") == "before***")
    }

    @Test func hexDumpsAreMasked() {
        let dump = "00000000  73 65 63 72 65 74 2d 70  61 73 73 0a           |secret-pass.|"
        #expect(masked(dump) == "00000000  *** 0a           |***.|")
        #expect(masked("0000000 6573 7263 7465 702d 7361 0073") == "0000000 ***")
        #expect(masked("0x72636573 0x702d7465 0x00737361") == "***")
    }

    /// Encodings around the secret: `base64(base64(secret))`, `base64(percent(secret))` and so on.
    @Test(arguments: [
        ("YzJWamNtVjBMWEJoYzNNPQ==", "secret-pass"),
        ("WXpKV2FtTnRWakJNV0VKb1l6Tk5QUT09", "secret-pass"),
        ("cCU0MHNzJTJGd29yZCUyMDE=", "p@ss/word 1"),
        ("ONSWG4TFOQWXAYLTOM======", "secret-pass"),
        ("NzM2NTYzNzI2NTc0MmQ3MDYxNzM3Mw==", "secret-pass"),
        ("37333635363337323635373432643730363137333733", "secret-pass"),
        ("cwBlAGMAcgBlAHQALQBwAGEAcwBzAA==", "secret-pass"),
        ("U0VDUkVULVBBU1M=", "secret-pass"),
        ("MMZFM2TDNVLDATCYIJUGGM2NHU======", "secret-pass"),
        ("Pz8\\/Pj4+c2VjcmV0", "???>>>secret"), ("Pz8%2FPj4%2Bc2VjcmV0", "???>>>secret"),
        ("Pz8&#47;Pj4\\u002bc2VjcmV0", "???>>>secret"),
    ])
    func encodingsAreMasked(_ spelling: String, _ secret: String) {
        #expect(masked("x \(spelling) y", secret) == "x *** y")
    }

    @Test(arguments: [
        ("\r\n", "***\r\n***\r\n***"), ("\\r\\n", "***\\r\\n***\\r\\n***"),
        ("=\r\n  ", "***\r\n  ***\r\n  ***"), ("\n", "***\n***\n***"),
    ])
    func base64InSeveralLinesIsMasked(_ lineBreak: String, _ expected: String) {
        let lines = ["AG1lAHNlY3", "JldC1wYXNzIGFu", "ZCBtb3Jl"]
        #expect(masked(lines.joined(separator: lineBreak), "secret-pass and") == expected)
    }

    @Test func linesWithoutAPartOfASecretAreKept() {
        #expect(masked("token\nc2VjcmV0LXBhc3M=\nother") == "token\n***\nother")
    }

    @Test func ordinaryTextIsKept() {
        let text = """
            GET /authentication/methods?page=12&size=100 HTTP/1.1, 10.0.0.1:6667, 1, 22, 333
            a b c d e f g, 1 x 2 y 3 z 4 - 5 / 6 : 7 | 8, 0000000   a   b   c   d 303 251 303 251
            {"lines": [115, 101, 99], "hash": "deadbeefdeadbeef", "id": "ABCDEFGHIJKLMNOP"}
            """
        #expect(masked(text) == text)
    }

    /// Texts that a server could send to keep the search busy.
    @Test(arguments: [
        "\\", "%", "&", "=", "+", "%25", "&amp;", "\\u005c", "\\x{", "\\%&=+", "&aaaaaaa", "&#1",
        "A", "4a ", "0x4a,", "77,", "AAAA\n", "\n", "\0", "secret-pas", "\\\\s", "secret-\r\n",
        "%5C", "QUFB", "s%65", "\\s\\e\\c\\r\\e\\t\\-", "s ", "s   ", "-", " ", "s-e-", "115 ",
        "303 ",
        "s\u{1B}[", "s\u{3}1,", "s\u{200B}", "-5,", "01110011 ", "6573 ", "s</b><b>",
    ])
    func theWorkIsProportionalToTheLength(_ pattern: String) {
        let pattern = Array(pattern.utf8)
        func steps(_ count: Int) -> Int {
            let text = (0..<count).map { pattern[$0 % pattern.count] }
            return SecretMask([Array("secret-pass".utf8)]).measuredRanges(in: text).steps
        }
        let (few, many) = (steps(4_096), steps(32_768))
        #expect(many <= 9 * few, "\(few) steps, then \(many)")
        #expect(many <= 1_000 * 32_768, "\(many) steps")
    }
}
