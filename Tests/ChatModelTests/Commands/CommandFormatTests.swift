import ChatModel
import LineProtocol
import Testing

/// Commands that override the dialect's format and escaping.
@Suite struct CommandFormatTests {
    /// A command with percent escaping, which the dialect's other commands do not use.
    struct DidReceive: ChatCommand, Equatable {
        var identifier: Int
        var text: String

        static func format(_ dialect: inout Dialect) {
            dialect.escaping = PerDirection(
                Escaping(field: .percent(encoded: [UInt8(ascii: "|"), 0x0A, 0x0D])))
        }
    }

    /// A command whose name and arguments are separated by commas.
    struct Joined: ChatCommand, Equatable {
        var conference: Int
        var nickname: String

        static func format(_ dialect: inout Dialect) {
            dialect.syntax = PerDirection(FieldSyntax(separators: [UInt8(ascii: ",")]))
            dialect.escaping = PerDirection(
                Escaping(field: .percent(encoded: [UInt8(ascii: ","), 0x0A, 0x0D])))
        }
    }

    enum Read: Equatable {
        case message(DidReceive)
        case joined(Joined)
        case left(LiveChat.Left)
    }

    private func reader() throws -> CommandReader<Read> {
        var map = CommandMap<Read>(try livechat(), from: .fromServer)
        try map.on(DidReceive.self) { .message($0) }
        try map.on(Joined.self) { .joined($0) }
        try map.on(LiveChat.Left.self) { .left($0) }
        return CommandReader(map)
    }

    @Test func oneCommandHasItsOwnEscapingInBothDirections() throws {
        let command = DidReceive(identifier: 7, text: "a|b\\n\n100%")
        let line = try livechat().line(command)
        #expect(line == "R0004|7|a%7Cb\\n%0A100%25")
        var reader = try reader()
        reader.append(Array((line + "\nR0006|1|J\\|e\n").utf8))
        #expect(try reader.next() == .message(command))
        #expect(
            try reader.next() == .left(LiveChat.Left(conference: 1, nickname: "J|e")),
            "the others keep theirs")
    }

    @Test func oneCommandHasItsOwnSeparatorsInBothDirections() throws {
        let command = Joined(conference: 2134, nickname: "a,b|c")
        let line = try livechat().line(command)
        #expect(line == "R0005,2134,a%2Cb|c")
        var reader = try reader()
        reader.append(Array((line + "\nR0006|1|Joe\n").utf8))
        #expect(try reader.next() == .joined(command))
        #expect(try reader.next() == .left(LiveChat.Left(conference: 1, nickname: "Joe")))
    }
}
