import ChatModel
import Testing

@Suite struct NicknameTests {
    @Test(arguments: [
        ("Joe", "jOE"), ("Ärger", "äRGER"), ("straße", "STRASSE"), ("ΟΔΟΣ", "οδος"),
        ("e\u{301}", "\u{E9}"),
    ])
    func nicknamesAreUniqueInAnySpelling(_ one: String, _ other: String) throws {
        var table = NicknameTable<Int>()
        try table.take(Nickname(one), for: 1)
        #expect(throws: NicknameError.inUse) { try table.take(Nickname(other), for: 2) }
        #expect(try table[Nickname(other)] == 1)
        #expect(table.holder(of: Array(other.utf8)) == 1)
        #expect(try Nickname(one) == Nickname(other))
        #expect(try Set([Nickname(one), Nickname(other)]).count == 1)
    }

    @Test func aFreedNicknameCanBeTaken() throws {
        var table = NicknameTable<Int>()
        try table.take(Nickname("Joe"), for: 1)
        #expect(try table.free(Nickname("JOE")) == 1)
        try table.take(Nickname("joe"), for: 2)
        #expect(table.count == 1)
    }

    @Test(arguments: [
        ([], NicknameError.empty), (Array(repeating: 0x61, count: 65), .tooLong(bytesMax: 64)),
        ([0xFF], .notUTF8), ([0x61, 0x07], .controlCharacter),
        ([0x61, 0xE2, 0x80, 0x8B], .controlCharacter), ([0x20, 0x61], .spaceAtEnd),
        ([0x61, 0xC2, 0xA0], .spaceAtEnd),
    ])
    func invalidNicknamesAreRefused(_ bytes: [UInt8], _ reason: NicknameError) {
        #expect(throws: reason) { try Nickname(bytes) }
    }

    @Test func aNicknameMayBeAsLongAsTheLimit() throws {
        let longest = Array(repeating: UInt8(ascii: "a"), count: 64)
        #expect(try Nickname(longest).bytes == longest)
        #expect(NicknameTable<Int>().holder(of: longest + longest) == nil)
    }
}
