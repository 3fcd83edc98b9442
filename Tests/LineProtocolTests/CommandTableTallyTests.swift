import Testing

@testable import LineProtocol

/// Checking lines against the command table.
struct CommandTableTallyTests {
    private static let dialect: Dialect = {
        var dialect = Dialects.livechat
        dialect.framing.fromServer.limits = Framing.Limits(lineBytesMax: 20)
        dialect.tolerance = Tolerance(tooFew: .reject, tooMany: .ignore, mismatch: .reject)
        dialect.commands = CommandTable([
            Dialects.command("say", "SAY", .client, [Dialects.text("text")]),
            Dialects.command("said", "SAID", .server, [Dialects.int("id"), Dialects.text("text")]),
            Dialects.command("gone", "GONE", .server, []),
        ])
        return dialect
    }()

    private func tally(_ lines: [String], from direction: Direction = .fromServer)
        -> CommandTableTally
    {
        var tally = CommandTableTally(Self.dialect)
        for line in lines {
            tally.note(line: Array(line.utf8), terminatorBytes: 1, from: direction)
        }
        return tally
    }

    @Test func validLinesAreCounted() {
        let report = tally(["SAID|1|a", "SAID|2|b", "SAID|3|c|more"]).report
        #expect(report.lines == 3)
        #expect(report.brokenLines == 0)
        #expect(report.commands.map(\.received) == [0, 3, 0])
        #expect(report.neverSeen.map(\.name) == ["say", "gone"])
    }

    /// Transcripts contain only the start of very long lines.
    @Test func theLengthOfALineIncludesItsOmittedBytes() throws {
        var tally = CommandTableTally(Self.dialect)
        for omitted in [0, 15, 16, 1_000_000] {
            tally.note(
                line: Array("GONE".utf8), terminatorBytes: 1, omittedBytes: omitted,
                from: .fromServer)
        }
        // The rest of a line that is not too long is unknown.
        #expect(tally.report.lines == 3)
        #expect(tally.report.breaks.map(\.words) == ["line too long"])
        #expect(tally.report.breaks.map(\.count) == [2])
    }

    @Test(arguments: [
        ("NOPE|1", "unknown-command", "unknown command"),
        ("SAY|x", "unknown-command", "unknown command"),
        ("SAID|1", "too-few", "1 argument missing"),
        ("SAID|x|a", "bad-value", "id is not a valid int"),
        ("SAID|1|aaaaaaaaaaaaaaaaaaaaa", "framing", "line too long"),
    ])
    func violationIsReportedWithAnExample(line: String, kind: String, words: String) throws {
        let item = try #require(tally([line, line]).report.breaks.first)
        #expect(item.kind == kind)
        #expect(item.words == words)
        #expect(item.count == 2)
        #expect(String(decoding: item.example, as: UTF8.self) == line)
    }

    @Test func clientLinesAreOnlyCounted() {
        let report = tally(["SAY|x", "SAY", "NOPE"], from: .fromClient).report
        #expect(report.commands.first?.sent == 2)
        #expect(report.brokenLines == 0)
    }

    @Test func theNumberOfKindsIsBounded() {
        let count = CommandTableTally.kindsMax
        let report = tally((0...count).map { "N\($0)|1" }).report
        #expect(report.breaks.count == count)
        #expect(report.otherBreaks == 1)
        #expect(report.brokenLines == count + 1)
    }

    /// Counts lines with a server limit of 20 bytes and a given overflow rule.
    private func tally(_ lines: [String], overflow: Framing.Overflow) -> SchemaReport {
        var dialect = Self.dialect
        dialect.framing.fromClient.overflow = overflow
        dialect.framing.fromServer.overflow = overflow
        dialect.tolerance = Tolerance(tooFew: .reject, tooMany: .reject, mismatch: .reject)
        var tally = CommandTableTally(dialect)
        for line in lines {
            tally.note(line: Array(line.utf8), terminatorBytes: 1, from: .fromServer)
        }
        return tally.report
    }

    @Test(arguments: [Framing.Overflow.truncate, .open, .close])
    func lineCutAtTheLimitIsNotBroken(overflow: Framing.Overflow) throws {
        let line = "SAID|12345678901234"
        let report = tally([line, line], overflow: overflow)
        #expect(report.brokenLines == 0)
        #expect(report.cutLines == 2)
        let cut = try #require(report.cuts.first)
        #expect(cut.kind == "cut")
        #expect(cut.words == "cut at 20 bytes")
        #expect(String(decoding: cut.example, as: UTF8.self) == line)
    }

    @Test(arguments: [Framing.Overflow.reject, .discard])
    func withoutCuttingTheSameLineIsBroken(overflow: Framing.Overflow) {
        let report = tally(["SAID|12345678901234"], overflow: overflow)
        #expect(report.breaks.map(\.kind) == ["too-few"])
        #expect(report.cutLines == 0)
    }

    @Test(arguments: [
        // One byte less, one byte more, an unknown command, and too many arguments.
        ("SAID|1234567890123", "too-few"), ("SAID|123456789012345", "framing"),
        ("SAIL|12345678901234", "unknown-command"), ("SAID|1|a|b|c|d|e|fg", "too-many"),
    ])
    func lineNotExplainedByACutIsBroken(line: String, kind: String) {
        let report = tally([line], overflow: .truncate)
        #expect(report.breaks.map(\.kind) == [kind])
        #expect(report.cutLines == 0)
    }

    @Test func completeLineAtTheLimitIsNotCut() {
        let report = tally(["SAID|1|abcdefghijkl"], overflow: .truncate)
        #expect(report.cutLines == 0)
        #expect(report.brokenLines == 0)
    }

    @Test func linesAreGroupedByCommandAndProblem() {
        let lines = ["SAID|1", "NOPE|1", "SAID|x|a", "NOPE|2", "HM", "SAID|2"]
        let report = tally(lines).report
        #expect(report.breaks.map(\.count) == [2, 2, 1, 1])
        #expect(
            report.breaks.map { String(decoding: $0.command, as: UTF8.self) } == [
                "SAID", "NOPE", "SAID", "HM",
            ])
    }

    @Test func reportsAddUp() {
        var report = tally(["SAID|1|a", "NOPE"]).report
        report.merge(tally(["SAID|1|a", "NOPE", "HM"]).report)
        #expect(report.lines == 5)
        #expect(report.commands.map(\.received) == [0, 2, 0])
        #expect(report.breaks.map(\.count) == [2, 1])
    }

    @Test func commandsOfTwoVersionsAreMergedByName() {
        var report = tally(["SAID|1|a"]).report
        var other = report
        other.commands.removeFirst()
        other.commands.append(.init(name: "left", wire: "LEFT", isClients: false, isServers: true))
        other.commands[other.commands.count - 1].received = 3
        report.merge(other)
        #expect(report.commands.map(\.received) == [0, 2, 0, 3])
    }

    @Test func kindsBeyondTheLimitAreCountedTogether() {
        func broken(_ names: Range<Int>) -> SchemaReport {
            var report = SchemaReport()
            report.breaks = names.map {
                .init(
                    kind: "unknown-command", command: Array("C\($0)".utf8), words: "unknown",
                    count: 2,
                    example: [])
            }
            report.cuts = report.breaks
            report.sampledOneOf = names.lowerBound + 1
            return report
        }
        let most = CommandTableTally.kindsMax
        var report = broken(0..<most)
        report.merge(broken(1..<most + 3))
        #expect(report.breaks.count == most && report.cuts.count == most)
        #expect(report.otherBreaks == 6 && report.otherCuts == 6)
        #expect(report.brokenLines == 2 * most + 2 * (most + 2))
        #expect(report.sampledOneOf == 2)
    }
}
