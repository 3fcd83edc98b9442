import LineProtocol
import Testing

@testable import Report

struct SchemaTextTests {
    private static let report: SchemaReport = {
        var report = SchemaReport()
        report.lines = 120
        report.commands = [
            .init(
                name: "say", wire: "SAY", isClients: true, isServers: false, sent: 3, received: 0),
            .init(
                name: "said", wire: "SAID", isClients: false, isServers: true, sent: 0, received: 0),
        ]
        report.breaks = [
            .init(
                kind: "unknown-command", command: Array("HM".utf8), words: "unknown command",
                count: 2, example: Array("HM \u{1B}[1m".utf8))
        ]
        return report
    }()

    @Test func violationShowsItsLineEscaped() {
        let text = SchemaText(style: Style(isColoured: false)).text(Self.report)
        #expect(text.contains("  2 × HM: unknown command  `HM \\x1b[1m`\n"))
        #expect(text.contains("commands: 1 of 2 seen in 120 lines\n  never received: SAID\n"))
    }

    @Test func reportsSamplingRate() {
        var report = Self.report
        report.sampledOneOf = 64
        let text = SchemaText(style: Style(isColoured: false)).text(report)
        #expect(text.contains("in 120 lines, 1 in 64 sampled"))
    }

    @Test func isEmptyWithoutLines() {
        #expect(SchemaText(style: Style(isColoured: false)).text(SchemaReport()).isEmpty)
    }
}
