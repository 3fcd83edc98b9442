import Diagnostics
package import LineProtocol

/// Result of a command-table check, as stored in a results file.
package struct SchemaRecord: Codable, Sendable, Equatable {
    /// Maximum count accepted from a file, so that sums cannot overflow.
    private static let countMax = 1 << 50

    /// Usage counts of a command.
    struct Use: Codable, Sendable, Equatable {
        var name: String
        var wire: String
        var sent: Int?
        var received: Int?
    }

    /// Lines that violate the command table in the same way, with one example.
    struct Deviation: Codable, Sendable, Equatable {
        var kind: String
        var command: String
        /// The command's bytes in hexadecimal; nil if `command` represents them exactly.
        var commandHex: String?
        var words: String
        var count: Int
        var example: String
        var exampleHex: String?
        var file: String?
        var line: Int?
        var `operator`: String?
    }

    var lines: Int
    var sampledOneOf: Int?
    var brokenLines: Int
    var breaks: [Deviation]
    var otherBreaks: Int?
    var cutLines: Int?
    var cuts: [Deviation]?
    var commands: [Use]

    package init(_ report: SchemaReport) {
        lines = report.lines
        sampledOneOf = report.sampledOneOf > 1 ? report.sampledOneOf : nil
        brokenLines = report.brokenLines
        breaks = report.breaks.map(Deviation.init)
        otherBreaks = report.otherBreaks > 0 ? report.otherBreaks : nil
        cutLines = report.cutLines > 0 ? report.cutLines : nil
        cuts = report.cuts.isEmpty ? nil : report.cuts.map(Deviation.init)
        commands = report.commands.map { use in
            Use(
                name: use.name, wire: use.wire, sent: use.isClients ? use.sent : nil,
                received: use.isServers ? use.received : nil)
        }
    }

    package var report: SchemaReport {
        var report = SchemaReport()
        report.lines = Self.count(lines)
        report.sampledOneOf = max(1, Self.count(sampledOneOf ?? 1))
        report.breaks = breaks.prefix(CommandTableTally.kindsMax).map(\.value)
        report.otherBreaks = Self.count(otherBreaks ?? 0)
        report.cuts = (cuts ?? []).prefix(CommandTableTally.kindsMax).map(\.value)
        let cut = report.cuts.reduce(0) { $0 + $1.count }
        report.otherCuts = max(0, Self.count(cutLines ?? 0) - cut)
        report.commands = commands.map { use in
            SchemaReport.Use(
                name: use.name, wire: use.wire, isClients: use.sent != nil,
                isServers: use.received != nil, sent: Self.count(use.sent ?? 0),
                received: Self.count(use.received ?? 0))
        }
        return report
    }

    fileprivate static func count(_ number: Int) -> Int { min(max(number, 0), countMax) }
}

extension SchemaRecord.Deviation {
    init(_ item: SchemaReport.Deviation) {
        kind = item.kind
        command = escapedForDisplay(item.command)
        commandHex = Self.hex(item.command, shownAs: command)
        words = item.words
        count = item.count
        example = escapedForDisplay(item.example)
        exampleHex = Self.hex(item.example, shownAs: example)
        file = item.location?.file
        line = item.location?.line
        `operator` = item.location?.operatorName
    }

    var value: SchemaReport.Deviation {
        SchemaReport.Deviation(
            kind: kind, command: Self.bytes(commandHex) ?? Array(command.utf8), words: words,
            count: SchemaRecord.count(count),
            example: Self.bytes(exampleHex) ?? Array(example.utf8),
            location: file.map {
                SchemaReport.Location(file: $0, line: line, operatorName: `operator` ?? "")
            })
    }

    /// Returns the bytes in hexadecimal; nil if `text` represents them exactly.
    private static func hex(_ bytes: [UInt8], shownAs text: String) -> String? {
        if text.utf8.elementsEqual(bytes) { return nil }
        return bytes.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    private static func bytes(_ hex: String?) -> [UInt8]? {
        guard let digits = hex.map({ Array($0.utf8) }), digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
