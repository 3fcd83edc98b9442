import ChatModel
import LineProtocol
import Testing

@Suite struct CommandReaderTests {
    private func map() throws -> CommandMap<any ChatCommand> {
        var map = CommandMap<any ChatCommand>(try livechat(), from: .fromServer)
        try map.on(LiveChat.DidReceive.self)
        try map.on(LiveChat.Joined.self)
        return map
    }

    private let lines = "R0004|1|Hello!|Joe|2134|0\nR0005|2134|Ann\nR0004|2|Hi\\|ho|Ann|2134|1\n"

    @Test func readingDoesNotDependOnHowTheBytesAreSplit() throws {
        let map = try map()
        let bytes = Array(lines.utf8)
        for split in bytes.indices {
            var reader = CommandReader(map)
            var texts: [String] = []
            for part in [bytes[..<split], bytes[split...]] {
                reader.append(Array(part))
                while let command = try reader.next() {
                    switch command {
                    case let command as LiveChat.DidReceive: texts.append(command.text)
                    case let command as LiveChat.Joined: texts.append(command.nickname)
                    default: Issue.record("read \(command)")
                    }
                }
            }
            #expect(texts == ["Hello!", "Ann", "Hi|ho"], "split at \(split)")
        }
    }

    @Test func commandsThatAreNotInTheMapAreSkipped() throws {
        var reader = CommandReader(try map())
        reader.append(Array("R0003|7\nR0006|1|Joe\nR0005|2134|Ann\n".utf8))
        #expect(try reader.next() is LiveChat.Joined)
        #expect(try reader.next() == nil)
    }

    @Test func readingContinuesAfterAnUnknownCommand() throws {
        var reader = CommandReader(try map())
        reader.append(Array("R99\u{1B}99|x\nR0005|2134|Ann\n".utf8))
        let error = #expect(throws: CommandError.self) { try reader.next() }
        #expect(error?.code == .unknownCommand)
        #expect(error?.command == #""R99\x1B99""#)
        #expect(try reader.next() is LiveChat.Joined)
    }

    @Test func readingContinuesAfterAnOverlongLine() throws {
        var reader = CommandReader(try map())
        let long = String(repeating: "x", count: 70_000)
        reader.append(Array("R0004|1|\(long)\nR0005|2134|Ann\n".utf8))
        let error = #expect(throws: CommandError.self) { try reader.next() }
        #expect(error?.code == .badFrame)
        #expect(error?.description.hasPrefix("the line is ") == true)
        #expect(error?.description.hasSuffix(" bytes too long") == true)
        #expect(try reader.next() is LiveChat.Joined)
    }

    @Test func anIncompleteLineIsBounded() throws {
        var reader = CommandReader(try map())
        for _ in 0..<100 {
            reader.append(Array(String(repeating: "x", count: 10_000).utf8))
            #expect(try reader.next() == nil)
        }
        #expect(reader.heldBytes <= 70_000)
    }
}
