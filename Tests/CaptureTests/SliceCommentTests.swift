import Testing

@testable import Capture

/// Comments of the packets in slices.
@Suite struct SliceCommentTests {
    /// The comments of each packet of a pcapng file in little-endian byte order.
    private static func comments(_ bytes: [UInt8]) -> [[String]] {
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        var packets: [[String]] = []
        var offset = 0
        while offset < bytes.count {
            let end = offset + number(offset + 4, 4)
            if number(offset, 4) == 6 {
                var comments: [String] = []
                var option = offset + 28 + (number(offset + 20, 4) + 3) / 4 * 4
                while option < end - 4, number(option, 2) == 1 {
                    let text = (option + 4)..<(option + 4 + number(option + 2, 2))
                    comments.append(String(decoding: bytes[text], as: UTF8.self))
                    option += 4 + (text.count + 3) / 4 * 4
                }
                packets.append(comments)
            }
            offset = end
        }
        return packets
    }

    private static var capture: [UInt8] {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("PASS hunter2\r\nNICK al")
        connection.send("ice\r\n")
        connection.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        connection.send("FROB\r\n")
        connection.close()
        return connection.capture
    }

    @Test(arguments: Slicing.Passes.allCases)
    func eachPacketHasTheLinesThatItCompletes(passes: Slicing.Passes) throws {
        let slice = try Slicing(Self.capture, passes) { $0.commands = ["nick"] }
        let comments = Self.comments(slice.bytes).map { $0.map(Self.withoutPadding) }
        #expect(
            comments == [
                [], [], [], ["#1 → pass(password: \"***\")"],
                ["#1 alice → nick(nickname: \"alice\")"],
                ["#1 alice ← welcome(source: \"srv\", client: \"alice\", text: \"Welcome\")"],
                ["#1 alice → \"FROB\" ! unknown command"], [], [], [],
            ])
        #expect(try slice.read().map(\.bytes) == Slicing.packets(Self.capture).map(\.bytes))
    }

    private static func withoutPadding(_ text: String) -> String {
        text.split(separator: " ").joined(separator: " ")
    }

    @Test func commentsAreLimited() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send(String(repeating: "PING 1\r\n", count: SliceCollector.commentsMax + 1))
        let values = (0..<12).map { _ in String(repeating: "ü", count: 1_500) }
        connection.send("USERHOST " + values.joined(separator: " ") + "\r\n")
        let comments = Self.comments(try Slicing(connection.capture).bytes)
        #expect(comments[3].count == SliceCollector.commentsMax)
        #expect(comments[3].last == "… (more lines)")
        let long = try #require(comments[4].first)
        #expect(long.hasSuffix("ü…") && long.utf8.count <= SliceCollector.commentBytesMax + 3)
    }
}
