import Diagnostics
import LineProtocol

/// How lines stood to the dialect's command table, as it stands in a file.
struct SchemaRecord: Codable {
    struct Use: Codable {
        var name: String
        var wire: String
        var sent: Int?
        var received: Int?
    }

    struct Break: Codable {
        var kind: String
        var command: String
        var words: String
        var count: Int
        var example: String
    }

    var lines: Int
    var sampledOneOf: Int?
    var brokenLines: Int
    var breaks: [Break]
    var commands: [Use]

    init(_ report: SchemaReport) {
        lines = report.lines
        sampledOneOf = report.sampledOneOf > 1 ? report.sampledOneOf : nil
        brokenLines = report.brokenLines
        breaks = report.breaks.map { item in
            Break(
                kind: item.kind, command: escapedForDisplay(item.command), words: item.words,
                count: item.count, example: escapedForDisplay(item.example))
        }
        commands = report.commands.map { use in
            Use(
                name: use.name, wire: use.wire, sent: use.isClients ? use.sent : nil,
                received: use.isServers ? use.received : nil)
        }
    }
}
