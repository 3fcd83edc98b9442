import Diagnostics
import Testing

struct DisplayTextTests {
    @Test(arguments: [
        ("plain é日👍", "plain é日👍"), ("a\r\nb\tc\0", "a\\r\\nb\\tc\\0"), ("\u{1B}[31m", "\\x1b[31m"),
        ("\u{7F}\u{1}", "\\x7f\\x01"), ("\u{202E}", "\\xe2\\x80\\xae"), ("\u{85}", "\\xc2\\x85"),
        ("a\\b\"", "a\\b\""), ("", ""), ("\u{FEFF}", "\\xef\\xbb\\xbf"), ("e\u{301}", "e\u{301}"),
    ])
    func whatCannotBeSeenIsWrittenOut(_ text: String, _ shown: String) {
        #expect(escapedForDisplay(text) == shown)
        #expect(escapedForDisplay(Array(text.utf8)) == shown)
    }

    @Test(
        arguments: [
            ([0xFF], "\\xff"), ([0x61, 0xC3], "a\\xc3"), ([0xC3, 0x28], "\\xc3("),
            ([0xE2, 0x82, 0x61], "\\xe2\\x82a"), ([0xC0, 0x80], "\\xc0\\x80"),
            ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"), ([0x80, 0x80], "\\x80\\x80"),
            ([0xF0, 0x9F, 0x91], "\\xf0\\x9f\\x91"),
        ] as [([UInt8], String)])
    func whatIsNotUTF8IsWrittenOutByteByByte(_ bytes: [UInt8], _ shown: String) {
        #expect(escapedForDisplay(bytes) == shown)
    }

    @Test func everyByteIsShownAndNoneTwice() {
        for first in UInt8.min...UInt8.max {
            for second in [UInt8(0x00), 0x61, 0x80, 0xC3, 0xE2, 0xFF] {
                var ranges: [Range<Int>] = []
                forEachScalar(in: [first, second, 0x61]) { range, _ in ranges.append(range) }
                #expect(ranges.flatMap { Array($0) } == [0, 1, 2])
            }
        }
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2), ("\u{1B}", 4), ("", 0),
        ("☺", 1), ("☺️", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
    ])
    func widthIsWhatATerminalTakes(_ text: String, _ width: Int) {
        #expect(displayWidth(text) == width)
    }
}
