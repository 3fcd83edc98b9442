/// Result of checking lines against a dialect's command table.
public struct SchemaReport: Sendable, Hashable, Codable {
    /// Number of lines from clients and servers, including lines that were not checked
    /// (``sampledOneOf``).
    public var lines: Int
    /// After the first lines, only one of this many was checked; 1 if all were.
    public var sampledOneOf: Int
    /// The dialect's commands, in its order.
    public var commands: [Use]
    /// The ways in which server lines broke the dialect, each with an example.
    public var breaks: [Deviation]
    /// Number of broken lines of other kinds.
    public var otherBreaks: Int
    /// Lines cut by the server at the limit, if the dialect allows that.
    public var cuts: [Deviation]
    /// Number of other lines that were cut.
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

    /// Number of lines with a command.
    public struct Use: Sendable, Hashable, Codable {
        /// The name of the command in messages.
        public var name: String
        /// The name on the wire. `###` means digits, `notify…` any command with that prefix.
        public var wire: String
        /// True if clients may send the command.
        public var isClients: Bool
        /// True if servers may send the command.
        public var isServers: Bool
        /// Number of lines from clients.
        public var sent: Int
        /// Number of lines from servers.
        public var received: Int

        /// Creates a count.
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
        /// Line number (from 1) of the running step, or nil.
        public var line: Int?
        /// The operator whose connection it was.
        public var operatorName: String

        /// Creates a location.
        public init(file: String, line: Int?, operatorName: String) {
            self.file = file
            self.line = line
            self.operatorName = operatorName
        }
    }

    /// A way in which lines break the dialect.
    public struct Deviation: Sendable, Hashable, Codable {
        /// Stable keyword: `unknown-command`, `too-few`, `too-many`, `bad-value`, `bad-escape` or
        /// `framing`; `cut` for lines that were cut.
        public var kind: String
        /// The command's bytes on the wire.
        public var command: [UInt8]
        /// A description of the problem.
        public var words: String
        /// Number of lines.
        public var count: Int
        /// The first such line without its terminator, at most
        /// ``CommandTableTally/exampleBytesMax`` bytes.
        public var example: [UInt8]
        /// The location of the first such line, or nil.
        public var location: Location?

        /// Creates an entry.
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

    /// Number of server lines that were cut.
    public var cutLines: Int { cuts.reduce(otherCuts) { $0 + $1.count } }

    /// Number of server lines that broke the dialect.
    public var brokenLines: Int { breaks.reduce(otherBreaks) { $0 + $1.count } }

    /// The commands that never occurred.
    public var neverSeen: [Use] { commands.filter { $0.sent == 0 && $0.received == 0 } }

    /// Adds a report of the same dialect.
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

    /// Adds the counts of a command, which another version of the dialect may lack.
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

    /// Adds entries. Returns the number of lines in entries that do not fit.
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
