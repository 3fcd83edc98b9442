import Testing

@testable import Diagnostics

/// Secrets in lists of characters and numbers, as formatters, debuggers and dump programs print
/// them.
struct SecretListTests {
    private static let secret = #"Zx9$kL?wq7-Pm<2"#

    private func masked(_ text: String, _ secret: String = secret) -> String {
        SecretMask([Array(secret.utf8)]).masked(text)
    }

    @Test(
        arguments: [
            // gdb: p/c, p/t, p/o, p/x, x/dw.
            (
                "{90 'Z', 120 'x', 57 '9', 36 '$', 107 'k', 76 'L', 63 '?', 119 'w', 113 'q', 55 '7', "
                    + "45 '-', 80 'P', 109 'm', 60 '<', 50 '2'}", "{***'}"
            ),
            (
                "{1011010, 1111000, 111001, 100100, 1101011, 1001100, 111111, 1110111, 1110001, 110111, "
                    + "101101, 1010000, 1101101, 111100, 110010}", "{***}"
            ),
            (
                "{0132, 0170, 071, 044, 0153, 0114, 077, 0167, 0161, 067, 055, 0120, 0155, 074, 062}",
                "{***}"
            ),
            (
                "{0x5a, 0x78, 0x39, 0x24, 0x6b, 0x4c, 0x3f, 0x77, 0x71, 0x37, 0x2d, 0x50, 0x6d, 0x3c, "
                    + "0x32}", "{***}"
            ),
            ("607746138\t2000637035\t1345140593\t3292269", "***"),
            // od, od -d, od -c, hexdump.
            ("0000000 074132 022071 046153 073477 033561 050055 036155 000062", "0000000 ***"),
            ("30810 9273 19563 30527 14193 20525 15469 50", "***"),
            (
                "0000000   Z   x   9   $   k   L   ?   w   q   7   -   P   m   <   2",
                "0000000   ***"
            ),
            ("785a 2439 4c6b 773f 3771 502d 3c6d 0032", "***"),
            // PyYAML, Data::Dumper, JSON of a string and of an array, Python, Tcl.
            ("[Z, x, '9', $, k, L, '?', w, q, '7', '-', P, m, <, '2']", "[***']"),
            (
                #"$VAR1 = ["Z","x",9,"\$","k","L","?","w","q",7,"-","P","m","<",2];"#,
                "$VAR1 = [\"***];"
            ),
            (
                #"{"0":"Z","1":"x","2":"9","3":"$","4":"k","5":"L","6":"?","7":"w","8":"q","9":"7","#
                    + #""10":"-","11":"P","12":"m","13":"<","14":"2"}"#, #"{"0":"***"}"#
            ),
            (
                #"{"0":90,"1":120,"2":57,"3":36,"4":107,"5":76,"6":63,"7":119,"8":113,"9":55,"10":45,"#
                    + #""11":80,"12":109,"13":60,"14":50}"#, #"{"0":***}"#
            ),
            (
                "[b'Z', b'x', b'9', b'$', b'k', b'L', b'?', b'w', b'q', b'7', b'-', b'P', b'm', b'2']",
                "[b'***']"
            ),
            ("Z x 9 {$} k L ? w q 7 - P m < 2", "***"),
            // XML-RPC, Visual Basic, Rust, code points.
            (
                [90, 120, 57, 36, 107, 76, 63, 119, 113, 55, 45, 80, 109, 60, 50].map {
                    "<value><int>\($0)</int></value>"
                }.joined(), "<value><int>***</int></value>"
            ),
            (
                "&H5A, &H78, &H39, &H24, &H6B, &H4C, &H3F, &H77, &H71, &H37, &H50, &H6D, &H32",
                "&***"
            ),
            (
                "Chr(90) & Chr(120) & Chr(57) & Chr(36) & Chr(107) & Chr(76) & Chr(63) & Chr(119) & "
                    + "Chr(113) & Chr(55) & Chr(45) & Chr(80) & Chr(109) & Chr(60) & Chr(50)",
                "Chr(***)"
            ),
            (
                "0x5au8, 0x78u8, 0x39u8, 0x6bu8, 0x4cu8, 0x77u8, 0x71u8, 0x37u8, 0x50u8, 0x6du8, 0x32u8",
                "***"
            ),
            (
                "U+005A U+0078 U+0039 U+006B U+004C U+0077 U+0071 U+0037 U+0050 U+006D U+0032",
                "U+***"
            ),
        ] as [(String, String)])
    func listsAreMasked(_ list: String, _ expected: String) {
        #expect(masked("at: \(list)") == "at: \(expected)")
    }

    @Test func partsOfAListInOtherLinesAreMasked() {
        let lines = "0x10:\t113\t55\t45\t80\t109\t50\n0x20:\t119 113 55 45 80 109 60 50 13 10"
        #expect(masked(lines) == "0x10:\t***\n0x20:\t*** 13 10")
        #expect(masked("00000010: 246b 4c3f 7771 372d 506d 3c32 0d0a") == "00000010: *** 0d0a")
    }

    @Test func partsInDebuggersAreMasked() {
        let lines =
            "0x2008 <buf>:\t90 'Z'\t120 'x'\t57 '9'\t36 '$'\t107 'k'\t76 'L'\t63 '?'\t119 'w'"
        #expect(masked(lines) == "0x2008 <buf>:\t***'")
        let rest = "0x2010 <buf+8>:\t113 'q'\t55 '7'\t45 '-'\t80 'P'\t109 'm'\t60 '<'\t50 '2'"
        #expect(masked(rest) == "0x2010 <buf+8>:\t***'")
    }

    @Test func charactersOutsideASCIIMayBeMissingOrEncoded() {
        let secret = "Tr0ub4dor&3\"é"
        #expect(
            masked(#"[T, r, '0', u, b, '4', d, o, r, '&', '3', '"', "\xE9"]"#, secret)
                == "[***\"]")
        #expect(masked("[84,114,48,117,98,52,100,111,114,38,51,34,233]", secret) == "[***]")
        #expect(
            masked("[84, 114, 48, 117, 98, 52, 100, 111, 114, 38, 51, 34, -61, -87]", secret)
                == "[***]")
    }

    @Test func aListEndsAtTheEndOfALine() {
        let text = "T, r, 0, u, b, 4, d, o, r, &, 3\n22:13:20"
        #expect(masked(text, "Tr0ub4dor&3\"é") == "***\n22:13:20")
    }

    @Test func aListDoesNotContinueInTheNextLineOfATranscript() {
        let text = "notice: p a s s w o r d\n    61.8 ms  alice"
        #expect(masked(text, "password1") == text)
        #expect(masked("tar: -h -u -n -t -e -r", "hunter2hunter2") == "tar: -h -u -n -t -e -r")
    }

    @Test func scientificNotationIsMasked() {
        let list = "9.000000e+01 1.200000e+02 5.7e1 3.6E+1 1.07e+02 7.6e1 1.19e2 1.13e2 5.5e1 8.0e1"
        #expect(masked("x \(list) 1.09e+02 5.0e+01 y") == "x *** y")
    }

    @Test func ordinaryListsAreKept() {
        let text = """
            a b c d e f g h i j k l m n o p q r s t u v w x y z
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
            [90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107]
            {"0":"a","1":"b","2":"c"} 0000000 071124 072460 032142 067544 023162
            2026-11-28 18:32:43 127.0.0.1:6667 200 OK 5120 bytes 0.003 s, 12 of 15 (80%)
            48 65 6c 6c 6f 20 77 6f 72 6c 64 21 0d 0a  |Hello world!..|
            """
        #expect(masked(text) == text)
        let other =
            "32 33 34 40 41 42 43 44 45 46 49 50 51 52 53, a, b, c, d, e, f, g, [a, b, c, d, e, f]"
        #expect(masked(other, "abcdef1234") == other)
        // A secret that consists of digits is not found in a numbered list.
        #expect(masked("1 a, 2 b, 3 c, 4 d, 5 e, 6 f", "123456") == "1 a, 2 b, 3 c, 4 d, 5 e, 6 f")
    }
}
