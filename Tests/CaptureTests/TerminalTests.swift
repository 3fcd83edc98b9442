import DialectFiles
import LineProtocol
import Testing

@testable import Capture

/// Layout of the log in a terminal.
@Suite struct TerminalLayoutTests {
    @Test(arguments: [80, 200], [false, true])
    func wrapsToTerminalWidth(columns: Int, isColoured: Bool) throws {
        var options = LogOptions()
        options.columns = columns
        options.times = .relative
        options.isColoured = isColoured
        let log = try Decoding.log(SampleCapture.bytes, "irc", options)
        try expectGolden(log.text, "log-\(columns)\(isColoured ? "-colour" : "").txt")
        for row in TerminalText.plain(log.text).split(separator: "\n") {
            #expect(LogWrapping.columns(String(row)) <= columns)
            #expect(row.last != " ", "\(row)")
        }
    }

    @Test func coloursDoNotChangeText() throws {
        var texts: [String] = []
        for isColoured in [false, true] {
            var options = LogOptions()
            options.columns = 80
            options.isColoured = isColoured
            texts.append(try Decoding.log(SampleCapture.bytes, "irc", options).text)
        }
        #expect(TerminalText.plain(texts[1]) == texts[0])
    }

    @Test func missingNameIsNotColoured() throws {
        var options = LogOptions()
        options.isColoured = true
        let text = try Decoding.log(SampleCapture.bytes, "irc", options).text
        #expect(!text.contains("\u{1B}[1m\u{1B}[0m"))
    }

    @Test(arguments: [
        ("one two  three", 57, "one two  three"),
        (String(repeating: "a", count: 33) + " ends at blanks   in words", 60, nil),
        (String(repeating: "a", count: 90), 60, nil),
        (String(repeating: " ", count: 90), 60, nil),
    ])
    func wrappingLosesOnlySpaces(line: String, columns: Int, expected: String?) {
        let bytes = Array(line.utf8)
        let rows = LogWrapping.wrapped(bytes, columns: columns).map {
            String(decoding: $0, as: UTF8.self)
        }
        if let expected { #expect((rows ?? line) == expected) }
        let shown = (rows ?? line).filter { $0 != " " && $0 != "\n" }
        #expect(shown == line.filter { $0 != " " })
    }
}

/// No part of a capture can control the terminal.
@Suite struct TerminalSafetyTests {
    /// Part of a line with arbitrary text.
    enum Field: String, CaseIterable {
        case payload, name, command, argument, source, tag, tagValue, block

        /// Returns a line with the bytes in this field, without a terminator.
        func line(_ bytes: [UInt8]) -> [UInt8] {
            let (before, after) =
                switch self {
                case .payload: ("PRIVMSG a :x", "y")
                case .name: ("NICK x", "y")
                case .command: ("FR", "OB z")
                case .argument: ("JOIN #x", "y,#z")
                case .source: (":x", "y PRIVMSG a :b")
                case .tag: ("@x", "=1 PRIVMSG a :b")
                case .tagValue: ("@msgid=x", "y PRIVMSG a :b")
                case .block: ("PUB a b ", " 3")
                }
            return Array(before.utf8) + bytes + Array(after.utf8)
        }
    }

    /// Every byte alone and after the start of a longer scalar, and characters that change the writing direction,
    /// join others, or are invisible.
    private static let pieces: [[UInt8]] =
        (UInt8.min...UInt8.max).flatMap {
            [[$0], [0xC2, $0], [0xE2, 0x80, $0], [0x1B, 0x5B, $0]]
        }
        + [
            "\u{061C}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}",
            "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}",
            "\u{2068}", "\u{2069}", "\u{206A}", "\u{FEFF}", "\u{FFF9}", "\u{E0001}", "\u{E0041}",
            "\u{180E}", "\u{AD}",
        ].map { Array($0.utf8) }

    private static func capture(_ field: Field) -> [UInt8] {
        var connection = ScriptedConnection()
        connection.open()
        for (index, piece) in pieces.enumerated() {
            let line = field.line(piece) + Array("\r\n".utf8)
            connection.send(line, fromClient: index % 2 == 0)
        }
        // A line without a terminator.
        connection.send(field.line([0x1B]))
        connection.close()
        return connection.capture
    }

    @Test(arguments: Field.allCases, ["irc", "nats", "teamspeak"])
    func logContainsNoTerminalControlSequences(field: Field, dialect: String) throws {
        let bytes = Self.capture(field)
        for (isColoured, columns) in [(false, nil), (true, 80)] as [(Bool, Int?)] {
            var options = LogOptions()
            options.isColoured = isColoured
            options.columns = columns
            let log = try Decoding.log(bytes, dialect, options)
            #expect(log.counts.conversation.lines >= 256)
            expectHarmless(isColoured ? TerminalText.plain(log.text) : log.text)
        }
        expectHarmless(try Decoding.json(bytes, dialect).text)
    }

    private func expectHarmless(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                Issue.record(
                    "U+\(String(scalar.value, radix: 16)) is shown", sourceLocation: sourceLocation)
            default: break
            }
        }
    }
}

/// Removal of the log's own colours.
enum TerminalText {
    static func plain(_ text: String) -> String {
        var text = text
        for code in [0, 1, 2, 31, 32, 33, 36] {
            text = text.replacing("\u{1B}[\(code)m", with: "")
        }
        return text
    }
}
