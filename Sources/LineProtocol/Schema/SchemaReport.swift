/// Result of checking lines against a dialect's command table.
public struct SchemaReport: Sendable, Hashable, Codable {
    /// Number of lines from clients and servers, including lines that were not checked (see
    /// ``sampledOneOf``).
    public var lines: Int
    /// Sampling rate N: after the first lines, one in every N lines was checked; 1 if all were.
    public var sampledOneOf: Int
    /// The dialect's commands, in declaration order.
    public var commands: [Use]
    /// Violations of the dialect in lines from servers, grouped by kind, with an example of each.
    public var breaks: [Deviation]
    /// Number of invalid lines not included in ``breaks``.
    public var otherBreaks: Int
    /// Lines that servers truncated at the limit, grouped by command. Empty if the dialect does not
    /// allow truncation.
    public var cuts: [Deviation]
    /// Number of truncated lines not included in ``cuts``.
    public var otherCuts: Int

    /// Creates an empty report.
    public init() {
        lines = 0
        sampledOneOf = 1
        commands = []
        breaks = []
        otherBreaks = 0
        cuts = []
        otherCuts = 0
    }

    /// Line counts for a command, in each direction.
    public struct Use: Sendable, Hashable, Codable {
        /// The command's name in the dialect.
        public var name: String
        /// The command's name on the wire. `###` represents digits, and `notify…` any command with
        /// that prefix.
        public var wire: String
        /// True if clients may send the command.
        public var isClients: Bool
        /// True if servers may send the command.
        public var isServers: Bool
        /// Number of lines from clients.
        public var sent: Int
        /// Number of lines from servers.
        public var received: Int

        /// Creates the counts of a command.
        public init(
            name: String, wire: String, isClients: Bool, isServers: Bool, sent: Int = 0,
            received: Int = 0
        ) {
            self.name = name
            self.wire = wire
            self.isClients = isClients
            self.isServers = isServers
            self.sent = sent
            self.received = received
        }
    }

    /// The location of a line in a run.
    public struct Location: Sendable, Hashable, Codable {
        /// The scenario file.
        public var file: String
        /// Line number of the step that was running, from 1; nil if unknown.
        public var line: Int?
        /// The operator whose connection sent or received the line.
        public var operatorName: String

        /// Creates a location.
        public init(file: String, line: Int?, operatorName: String) {
            self.file = file
            self.line = line
            self.operatorName = operatorName
        }
    }

    /// A group of lines that violate the dialect in the same way.
    public struct Deviation: Sendable, Hashable, Codable {
        /// A stable keyword: `unknown-command`, `not-json`, `too-few`, `too-many`, `bad-value`,
        /// `bad-escape` or `framing`; for truncated lines, `cut`.
        public var kind: String
        /// The command's bytes on the wire.
        public var command: [UInt8]
        /// A description of the problem.
        public var words: String
        /// Number of lines that violate the dialect in this way.
        public var count: Int
        /// The first of these lines without its terminator, truncated to at most
        /// ``CommandTableTally/exampleBytesMax`` bytes.
        public var example: [UInt8]
        /// The location of the first of these lines, or nil.
        public var location: Location?

        /// Creates a group of lines.
        public init(
            kind: String, command: [UInt8], words: String, count: Int, example: [UInt8],
            location: Location? = nil
        ) {
            self.kind = kind
            self.command = command
            self.words = words
            self.count = count
            self.example = example
            self.location = location
        }
    }

    /// Number of server lines that were truncated.
    public var cutLines: Int { cuts.reduce(otherCuts) { $0 + $1.count } }

    /// Number of server lines that violated the dialect.
    public var brokenLines: Int { breaks.reduce(otherBreaks) { $0 + $1.count } }

    /// The commands that did not occur.
    public var neverSeen: [Use] { commands.filter { $0.sent == 0 && $0.received == 0 } }

    /// Adds another report for the same dialect.
    public mutating func merge(_ other: SchemaReport) {
        lines += other.lines
        sampledOneOf = max(sampledOneOf, other.sampledOneOf)
        for (index, use) in other.commands.enumerated() { add(use, likelyAt: index) }
        otherBreaks += other.otherBreaks
        otherBreaks += Self.merge(other.breaks, into: &breaks)
        otherCuts += other.otherCuts
        otherCuts += Self.merge(other.cuts, into: &cuts)
    }

    /// The maximum number of commands after merging reports from different versions of a dialect.
    private static let commandsMax = 4_000

    /// Adds the counts of a command. If this report is for another version of the dialect that does
    /// not have the command, adds the command as well.
    private mutating func add(_ use: Use, likelyAt index: Int) {
        func isIt(_ mine: Use) -> Bool { mine.name == use.name && mine.wire == use.wire }
        let isThere = commands.indices.contains(index) && isIt(commands[index])
        if let index = isThere ? index : commands.firstIndex(where: isIt) {
            commands[index].sent += use.sent
            commands[index].received += use.received
        } else if commands.count < Self.commandsMax {
            commands.append(use)
        }
    }

    /// Adds the entries. Returns the number of lines in entries that did not fit.
    private static func merge(_ others: [Deviation], into breaks: inout [Deviation]) -> Int {
        var rest = 0
        for item in others {
            let same = breaks.firstIndex {
                $0.kind == item.kind && $0.command == item.command && $0.words == item.words
            }
            if let same {
                breaks[same].count += item.count
            } else if breaks.count < CommandTableTally.kindsMax {
                breaks.append(item)
            } else {
                rest += item.count
            }
        }
        return rest
    }
}
