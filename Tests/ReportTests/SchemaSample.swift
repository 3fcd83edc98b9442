import LineProtocol

/// Server lines that violate the command table in two ways, one with bytes that would be harmful if reports did
/// not escape them.
enum SchemaSample {
    static let report: SchemaReport = {
        var report = SchemaReport()
        report.lines = 120
        report.commands = [
            use("nick", "NICK", isClients: true, sent: 3), use("who", "WHO", isClients: true),
            use("welcome", "001", isServers: true, received: 2),
            use("trace", "2##", isServers: true),
            use("ping", "PING", isClients: true, isServers: true, sent: 1, received: 4),
        ]
        report.breaks = [
            SchemaReport.Deviation(
                kind: "too-few", command: Array("433".utf8), words: "1 argument missing", count: 3,
                example: Array(":irc.local 433 *".utf8),
                location: SchemaReport.Location(
                    file: "Scenarios/irc/nickname-case.chat", line: 5, operatorName: "bob")),
            SchemaReport.Deviation(
                kind: "unknown-command", command: Array("<b>".utf8), words: "unknown command",
                count: 1,
                example: [0xFF, 0x1B] + Array("<script>]]>&\"::error::%".utf8)),
        ]
        report.otherBreaks = 2
        report.cuts = [
            SchemaReport.Deviation(
                kind: "cut", command: Array("353".utf8), words: "cut at 512 bytes", count: 1,
                example: Array(":irc.local 353 alice = #room :alice bo".utf8))
        ]
        return report
    }()

    private static func use(
        _ name: String, _ wire: String, isClients: Bool = false, isServers: Bool = false,
        sent: Int = 0, received: Int = 0
    ) -> SchemaReport.Use {
        SchemaReport.Use(
            name: name, wire: wire, isClients: isClients, isServers: isServers, sent: sent,
            received: received)
    }
}
