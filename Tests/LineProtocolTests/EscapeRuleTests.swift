import Testing

@testable import LineProtocol

struct EscapeRuleTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        var name: String
        var rule: EscapeRule
        var testDescription: String { name }
    }

    static let rules = [
        Rule(name: "none", rule: .none(forbidden: [0, 10, 13])),
        Rule(name: "irc tags", rule: Dialects.ircTags),
        Rule(name: "livechat", rule: Dialects.livechat.escaping.fromServer.field),
        Rule(name: "teamspeak", rule: Dialects.teamspeak.escaping.fromServer.value),
        Rule(name: "stomp", rule: Dialects.stomp.escaping.fromServer.value),
        Rule(name: "percent", rule: .percent(encoded: [10, 13, 32])),
        Rule(name: "percent, all", rule: .percent(encoded: .all)),
        Rule(name: "doubling", rule: .doubling(ASCII.pipe, forbidden: [10])),
        Rule(name: "quotes", rule: .quotes),
    ]

    /// Returns the value without its quotes, if the rule adds them.
    static func inner(_ spelling: [UInt8], _ rule: EscapeRule) -> [UInt8] {
        rule == .quotes ? Array(spelling.dropFirst().dropLast()) : spelling
    }

    @Test(arguments: rules)
    func everyByteAndPairRoundTripsOrIsRefused(_ test: Rule) {
        for first in UInt8.min...UInt8.max {
            for value in [[first]] + (UInt8.min...UInt8.max).map({ [first, $0] }) {
                guard let spelling = try? test.rule.encode(value) else {
                    #expect(value.contains { Self.isForbidden($0, test.rule) })
                    continue
                }
                #expect((try? test.rule.decode(Self.inner(spelling, test.rule))) == value)
            }
        }
    }

    static func isForbidden(_ byte: UInt8, _ rule: EscapeRule) -> Bool {
        switch rule {
        case .none(let forbidden), .doubling(_, let forbidden): forbidden.contains(byte)
        case .table(let table): table.forbidden.contains(byte)
        case .percent, .quotes, .json: false
        }
    }

    @Test(arguments: rules)
    func randomValuesRoundTrip(_ test: Rule) {
        for seed in UInt64(0)..<50 {
            var generator = SeededRandom(seed: seed)
            let value = (0..<200).map { _ in
                [92, 37, 34, 124, 58, 115, UInt8.random(in: 1...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }.filter { !Self.isForbidden($0, test.rule) }
            let spelling = try? test.rule.encode(value)
            #expect(spelling.flatMap { try? test.rule.decode(Self.inner($0, test.rule)) } == value)
        }
    }

    @Test func forbiddenByteIsReportedWithItsOffset() {
        #expect(throws: EscapeError(offset: 2, reason: .unrepresentable(10))) {
            try EscapeRule.none(forbidden: [10]).encode(bytes("ab\n"))
        }
    }

    @Test(arguments: [
        ("a\\:b\\s\\\\\\r\\n", "a;b \\\r\n"), ("\\b\\c", "bc"), ("a\\", "a"), ("\\\\", "\\"),
        ("", ""), ("\\", ""), ("\\ü", "ü"),
    ])
    func tagValuesAreUnescapedAsInIRCv3(spelling: String, value: String) throws {
        #expect(try Dialects.ircTags.decode(bytes(spelling)) == bytes(value))
    }

    @Test func invalidEscapeCanBeAnError() {
        let rule = Dialects.stomp.escaping.fromServer.value
        #expect(throws: EscapeError(offset: 1, reason: .unknownEscape(UInt8(ascii: "t")))) {
            try rule.decode(bytes("a\\tb"))
        }
        #expect(throws: EscapeError(offset: 1, reason: .loneEscape)) {
            try rule.decode(bytes("a\\"))
        }
    }

    @Test func invalidEscapeCanBeLiteral() throws {
        let rule = Dialects.table(
            ASCII.backslash, ["\\": ASCII.backslash], unknown: .verbatim, lone: .verbatim)
        #expect(try rule.decode(bytes("a\\b\\\\c\\")) == bytes("a\\b\\c\\"))
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("%2f%2F", "//"),
    ])
    func lonePercentSignsAreLiteral(spelling: String, value: String) throws {
        #expect(try EscapeRule.percent(encoded: []).decode(bytes(spelling)) == bytes(value))
    }

    @Test func quotedValuesSupportLettersAndHexadecimal() throws {
        #expect(
            try EscapeRule.quotes.decode(bytes("\\n\\r\\t\\b\\a\\x41\\xzz\\q\\\"\\"))
                == [10, 13, 9, 8, 7, 65] + bytes("xzzq\"\\"))
    }

    @Test func escapeTableMustCoverTheEscapeByte() {
        #expect(throws: EscapeTable.Invalid.escapeByteHasNoLetter) {
            try EscapeTable(escape: 92, meaning: [110: 10])
        }
        #expect(throws: EscapeTable.Invalid.twoLetters(110, 115, both: 10)) {
            try EscapeTable(escape: 92, meaning: [92: 92, 110: 10, 115: 10])
        }
    }
}
