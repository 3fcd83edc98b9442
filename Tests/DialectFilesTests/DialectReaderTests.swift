import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct DialectReaderTests {
    @Test func nameAloneIsAValidDialect() throws {
        let read = try dialect("name: x")
        #expect(read.framing.fromClient.terminator == .lf)
        #expect(read.syntax.fromServer.separators == [ASCII.space])
        #expect(read.commands.signatures.isEmpty)
        #expect(read.openPolicies.contains("framing.overflow"))
    }

    @Test func sideOverridesCommonSettings() throws {
        let read = try dialect(
            """
            name: x
            framing:
              terminator: CRLF
              accept: [CRLF, LF]
              limits: {line: 512, counts-terminator: false}
              overflow: close
              server: {limits: {line: 1024}, overflow: '?'}
              client: {terminator: CR}
            """)
        #expect(read.framing.fromServer.terminator == .crlf)
        #expect(read.framing.fromServer.accepted == [.crlf, .lf])
        #expect(read.framing.fromServer.limits.lineBytesMax == 1024)
        #expect(!read.framing.fromServer.limits.countsTerminator)
        #expect(read.framing.fromServer.overflow == .open)
        #expect(read.framing.fromClient.accepted == [.cr])
        #expect(read.framing.fromClient.overflow == .close)
        #expect(read.openPolicies.first == "framing.server.overflow")
        #expect(!read.openPolicies.contains("framing.overflow"))
    }

    @Test func terminatorsAreNamedOrWrittenInHexadecimal() throws {
        let read = try dialect("name: x\nframing: {terminator: 0x0D 0x00, accept: [crnul, 0x1E]}")
        #expect(read.framing.fromClient.terminator == .crnul)
        #expect(read.framing.fromClient.accepted == [.crnul, Terminator(0x1E)])
    }

    @Test func payloadsAreDerivedFromArguments() throws {
        let read = try dialect(
            """
            name: x
            framing: {payload-end: none}
            commands:
              set:
                from: client
                arguments: [key: text, size: int in payload-length, ttl: int, body: bytes in payload]
              get: {from: server, arguments: [key: text?, size: int in payload-length, body: bytes in payload]}
              post: {from: client, arguments: [text: text in block]}
              plain: {from: both, arguments: [text: text]}
            """)
        #expect(
            read.framing.payloads == [
                Framing.PayloadRule(
                    verb: Array("set".utf8), direction: .client, lengthField: .at(1),
                    terminated: false),
                Framing.PayloadRule(
                    verb: Array("get".utf8), direction: .server, lengthField: .last,
                    terminated: false),
            ])
        #expect(
            read.framing.blocks == [
                Framing.BlockRule(verb: Array("post".utf8), direction: .client)
            ])
    }

    @Test func transactionIDIsDerivedFromArguments() throws {
        let read = try DialectLibrary.find("msnp").dialect
        #expect(read.syntax.fromServer.correlation?.field == 0)
        let exempt = read.syntax.fromServer.correlation?.exempt ?? []
        func isExempt(_ verb: String, _ direction: CommandDirection) -> Bool {
            exempt.contains { $0.verb.elementsEqual(verb.utf8) && $0.direction == direction }
        }
        #expect(isExempt("PNG", .client))
        #expect(isExempt("NLN", .server))
        #expect(isExempt("MSG", .server))
        #expect(!isExempt("MSG", .client))
        #expect(!isExempt("USR", .client))
    }

    @Test func argumentsHaveTypePresenceDefaultAndPosition() throws {
        let read = try dialect(
            """
            name: x
            fields: {source: ':', tags: '@', key-value: {options: '-'}}
            commands:
              a:
                from: both
                arguments:
                  - who: text? in source
                  - at: time as rfc3339? in tag time
                  - on: bool as yes|y/no = true in key
                  - quiet: bool in option q
                  - kind: one of in|out = out
                  - say: text = "a \\"b\\" in c"
                  - ids: list of int by 0x1F
                  - {name: more, type: list of text, optional: true}
                  - rest: bytes...
            """)
        let arguments = try #require(read.commands.signatures.first).arguments
        let spelling = BoolSpelling(yes: ["yes", "y"], no: ["no"])
        #expect(
            arguments == [
                ArgumentSignature("who", .text, position: .source, presence: .optional),
                ArgumentSignature(
                    "at", .time(.rfc3339), position: .tag(Array("time".utf8)), presence: .optional),
                ArgumentSignature(
                    "on", .bool(spelling), position: .key(Array("on".utf8)),
                    defaultValue: .bool(true)),
                ArgumentSignature("quiet", .bool(.digits), position: .option(Array("q".utf8))),
                ArgumentSignature("kind", .choice(["in", "out"]), defaultValue: .choice(1)),
                ArgumentSignature("say", .text, defaultValue: .text("a \"b\" in c")),
                ArgumentSignature("ids", .list(of: .int, separator: 0x1F)),
                ArgumentSignature(
                    "more", .list(of: .text, separator: 0x2C), presence: .optional),
                ArgumentSignature("rest", .bytes, presence: .variadic),
            ])
    }

    @Test func eachSideHasItsOwnFieldsAndEscaping() throws {
        let read = try dialect(
            """
            name: x
            fields:
              separator: '|'
              verb-case: insensitive
              client: {runs: true}
              server: {json: kind}
            escaping:
              client: {escape: '\\', letters: {'\\': '\\', p: '|', n: LF}}
            commands:
              say: {from: client, arguments: [text: text]}
              said: {from: server, arguments: [text: text, by: text in key user.name, loud: bool]}
            """)
        let (client, server) = (read.syntax.fromClient, read.syntax.fromServer)
        #expect(client.separators == [ASCII.pipe] && client.separatorRuns && client.json == nil)
        #expect(client.verbCase == .insensitive)
        #expect(server.json == JSONSyntax(form: .key(["kind"])))
        #expect(server.verbCase == .insensitive)
        #expect(read.escaping.fromClient.field.marker == ASCII.backslash)
        #expect(read.escaping.fromServer.field == .json)
        #expect(read.commands.signatures[0].arguments[0].position == .field)
        let said = read.commands.signatures[1].arguments
        #expect(said.map(\.position)[1] == .key(Array("user.name".utf8)))
        #expect(said[2].type == .bool(.json))
    }

    @Test func settingsOfBothSidesApplyUnlessASideHasItsOwn() throws {
        let read = try dialect(
            """
            name: x
            fields: {separator: '|', max: 4, server: {separator: ',', quotes: true}}
            escaping: {doubling: '|', server: quotes}
            commands:
              say: {from: both, arguments: [text: text]}
            """)
        #expect(read.syntax.fromClient.separators == [ASCII.pipe])
        #expect(read.syntax.fromServer.separators == [UInt8(ascii: ",")])
        #expect(read.syntax.fromServer.fieldsMax == 4)
        #expect(read.escaping.fromServer.field == .quotes)
        #expect(read.escaping.fromClient.field != .quotes)
    }

    @Test func aCommandOfOneByteMayHaveAPayload() throws {
        let read = try dialect(
            """
            name: x
            framing: {terminator: CRLF}
            fields: {verb: {bytes: 1}}
            commands:
              string: {wire: $, from: both, arguments: [size: int in payload-length, value: bytes in payload]}
              status: {wire: +, from: server, arguments: [text: text]}
            """)
        #expect(
            read.framing.payloads == [
                Framing.PayloadRule(verb: Array("$".utf8), direction: .both, terminated: true)
            ])
        var framer = LineFramer(read, direction: .fromServer)
        framer.append(Array("$5\r\nhello\r\n+OK\r\n".utf8))
        let (string, status) = (framer.next(), framer.next())
        let buffer = framer.buffer
        #expect(string?.payload.map { Array(buffer[$0]) } == Array("hello".utf8))
        #expect(status.map { Array(buffer[$0.line]) } == Array("+OK".utf8))
    }

    @Test func forbiddenBytesAreDerived() throws {
        let irc = try DialectLibrary.find("irc").dialect.escaping.fromServer
        func forbidden(_ rule: EscapeRule) -> [UInt8] {
            switch rule {
            case .none(let bytes), .doubling(_, let bytes): bytes.bytes
            case .table(let table): table.forbidden.bytes
            default: []
            }
        }
        #expect(forbidden(irc.field) == [0x00, 0x0A, 0x0D, 0x20])
        #expect(forbidden(irc.trailing) == [0x00, 0x0A, 0x0D])
        #expect(forbidden(irc.tagValue) == [0x00])
        let livechat = try DialectLibrary.find("livechat").dialect.escaping.fromServer
        #expect(forbidden(livechat.field) == [])
        let doubled = try dialect("name: x\nfields: {separator: '|'}\nescaping: {doubling: '|'}")
        #expect(forbidden(doubled.escaping.fromServer.field) == [0x0A])
    }

    @Test func clauseLevelIsDerivedFromTheQuote() throws {
        let irc = try DialectLibrary.find("irc").dialect
        #expect(irc.clause("line-limit")?.level == .must)
        #expect(irc.clause("bare-lf")?.level == .should)
        #expect(irc.clause("privmsg")?.level == .policy)
        #expect(irc.clause("notice")?.rules == [])
        #expect(irc.clause("nul")?.rules == ["policies.nul", "escaping"])
    }

    @Test func everyProfileIsRead() throws {
        let text = "name: x\nprofiles:\n  a: {port: 7}\n  b: {port: many}\n"
        let outcome = DialectReader.read(SourceText(path: "x", text: text), profile: "a")
        #expect(outcome.dialect == nil ? true : false)
        #expect(outcome.profiles == ["a", "b"])
        #expect(outcome.diagnostics.map(\.code) == [.wrongType])
    }

    @Test func positionsAreCorrectWithAnyLineEndings() throws {
        // The YAML library treats a lone CR and U+2028 as line endings; editors do not.
        let text = "name: x\rsummary: 'a\u{2028} b'\r\n# ü\nport: €\n"
        let outcome = DialectReader.read(SourceText(path: "x", text: text))
        let position = outcome.diagnostics.first?.location?.position
        #expect(position?.line == 3)
        #expect(position?.column == 7)
    }

    @Test func atMostTwentyErrorsAreReported() {
        let text = "name: x\n" + (0..<40).map { "key\($0): 1\n" }.joined()
        let outcome = DialectReader.read(SourceText(path: "x", text: text))
        #expect(outcome.diagnostics.count == Problems.errorsMax)
    }

    @Test(arguments: [0, 1])
    func theNumberOfBehavioursIsLimited(excess: Int) {
        let count = BehaviourReader.behavioursMax + excess
        let text = "name: x\nbehaviours:\n" + (0..<count).map { "  b\($0): -> X\n" }.joined()
        let outcome = DialectReader.read(SourceText(path: "x", text: text))
        #expect(outcome.diagnostics.map(\.code) == (excess == 0 ? [] : [.tooMany]))
    }

    @Test(arguments: [
        ("15s", 15_000_000_000), ("1.5m", 90_000_000_000), ("0.25ms", 250_000), ("7us", 7_000),
        ("0s", 0), ("1440m", 86_400_000_000_000),
    ])
    func durationsRoundTrip(text: String, nanoseconds: Int64) throws {
        #expect(Durations.nanoseconds(text) == nanoseconds)
        #expect(Durations.nanoseconds(Durations.text(nanoseconds)) == nanoseconds)
    }

    @Test(arguments: [
        "", "s", "1", "1 s", "-1s", "1.s", ".5s", "1441m", "1.2.3s", "9999999999s", "1h",
    ])
    func invalidDurationsAreRejected(text: String) {
        #expect(Durations.nanoseconds(text) == nil)
    }
}
