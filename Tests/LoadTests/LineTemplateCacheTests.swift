import Testing

@testable import Load

private let text = Array("abcdefghij0123456789".utf8)
private let otherText = Array("klmnopqrst9876543210".utf8)

/// A memory of lines, each given by the bytes before and after its text.
private struct Lines {
    var cache = LineTemplateCache(textBytes: text.count)

    mutating func remember(_ before: String, _ behind: String, sender: Int32 = 0) {
        let bytes = Array(before.utf8) + text + Array(behind.utf8)
        let all = 0..<bytes.count
        guard let offset = LineTemplateCache.onlyOffset(of: text.span, in: bytes.span, all) else {
            return
        }
        cache.remember(bytes.span, all, textAt: offset, .init(sender: sender))
    }

    /// The recipient of a line with another text; nil if the line is not cached.
    mutating func sender(_ before: String, _ behind: String) -> Int32? {
        sender(Array(before.utf8) + otherText + Array(behind.utf8))
    }

    mutating func sender(_ bytes: [UInt8]) -> Int32? {
        // Puts bytes around the line, as in a buffer.
        let buffer = [UInt8](repeating: 0x7E, count: 9) + bytes + [0x7E]
        guard let found = cache.find(buffer.span, 9..<9 + bytes.count) else { return nil }
        #expect(Array(buffer[found.text]) == otherText)
        return found.template.sender
    }
}

private let surroundings = [
    ("", ""), ("MSG ", ""), ("12345678", ""), ("123456789", ""), ("", "|"), ("", "|1234567"),
    ("", "|12345678"), ("R0004|1|", "|lj0000001|17000000|0"),
    (":lj0000001!someone@somewhere.net PRIVMSG #room17000000 :", ""),
]

@Test(arguments: surroundings)
func aLineThatDiffersOnlyInItsTextIsCached(before: String, behind: String) {
    var lines = Lines()
    #expect(lines.sender(before, behind) == nil)
    lines.remember(before, behind, sender: 3)
    #expect(lines.sender(before, behind) == 3)
}

@Test(arguments: surroundings)
func aLineThatDiffersElsewhereIsNotCached(before: String, behind: String) {
    var lines = Lines()
    lines.remember(before, behind)
    let bytes = Array(before.utf8) + otherText + Array(behind.utf8)
    for offset in bytes.indices
    where offset < before.utf8.count || offset >= before.utf8.count + text.count {
        var changed = bytes
        changed[offset] ^= 1
        #expect(lines.sender(changed) == nil)
        changed.remove(at: offset)
        #expect(lines.sender(changed) == nil)
    }
    #expect(lines.sender([0x20] + bytes) == nil)
    #expect(lines.sender(bytes + [0x20]) == nil)
}

@Test func aTextThatStandsInItsLineTwiceTeachesNothing() {
    var lines = Lines()
    lines.remember("a " + String(decoding: text, as: UTF8.self), "")
    #expect(lines.sender("a " + String(decoding: text, as: UTF8.self), "") == nil)
}

@Test func whatSurroundsATextMayHaveSoManyBytesAndNoMore() {
    var lines = Lines()
    let most = String(repeating: "x", count: LineTemplateCache.bytesMax)
    lines.remember(most, "")
    lines.remember(most + "x", "")
    #expect(lines.sender(most, "") == 0)
    #expect(lines.sender(most + "x", "") == nil)
}

@Test func theCacheHoldsItsMaximumOfLines() {
    var lines = Lines()
    for number in 0...LineTemplateCache.entriesMax {
        lines.remember("\(number) ", "", sender: Int32(number))
    }
    #expect(!lines.cache.isLearning)
    for number in stride(from: 0, to: LineTemplateCache.entriesMax, by: 101) {
        #expect(lines.sender("\(number) ", "") == Int32(number))
    }
    #expect(lines.sender("\(LineTemplateCache.entriesMax) ", "") == nil)
    // Once no line is cached, the memory is not consulted again.
    for _ in 0..<LineTemplateCache.missesMax { #expect(lines.sender("strange ", "") == nil) }
    #expect(lines.sender("0 ", "") == nil)
}
