import Diagnostics
import Testing

struct SourceTextTests {
    private let text = SourceText(path: "a", text: "ab\r\né日x\n\nend")

    @Test(arguments: [
        (0, 1, 1), (1, 1, 2), (2, 1, 3), (4, 2, 1), (6, 2, 2), (9, 2, 3), (10, 2, 4), (11, 3, 1),
        (12, 4, 1), (15, 4, 4), (99, 4, 4), (-1, 1, 1),
    ])
    func aPositionIsLineAndColumnInCharacters(_ offset: Int, _ line: Int, _ column: Int) {
        let position = text.position(at: offset)
        #expect(position.line == line)
        #expect(position.column == column)
    }

    @Test(arguments: [(1, "ab"), (2, "é日x"), (3, ""), (4, "end"), (0, "ab"), (9, "end")])
    func aLineIsWithoutItsEnd(_ line: Int, _ expected: String) {
        let bytes = text.bytes(in: text.range(ofLine: line))
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func aColumnBeyondItsLineIsTheLinesEnd() {
        #expect(text.offset(line: 2, byteColumn: 1) == 4)
        #expect(text.offset(line: 2, byteColumn: 99) == 10)
        #expect(text.offset(line: 2, byteColumn: -3) == 4)
    }

    @Test func anEmptyTextHasOneEmptyLine() {
        let empty = SourceText(path: "a", bytes: [])
        #expect(empty.lineCount == 1)
        #expect(empty.position(at: 0) == SourcePosition(line: 1, column: 1, offset: 0))
        #expect(empty.bytes(in: SourceRange(start: 3, end: 9)).isEmpty)
    }

    @Test func noMoreThanTheMaximumIsKept() {
        let most = [UInt8](repeating: 0x61, count: SourceText.bytesMax)
        #expect(!SourceText(path: "a", bytes: most).isTruncated)
        let cut = SourceText(path: "a", bytes: most + [0x62])
        #expect(cut.isTruncated)
        #expect(cut.bytes.count == SourceText.bytesMax)
    }

    @Test func rangesJoinAndNeverEndBeforeTheyStart() {
        let range = SourceRange(start: 5, end: 3)
        #expect(range.count == 0)
        #expect(range.joined(with: SourceRange(start: 1, end: 2)) == SourceRange(start: 1, end: 5))
    }
}
