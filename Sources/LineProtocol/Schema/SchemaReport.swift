/// X: what came of holding lines against a dialect's command table.
public struct SchemaReport: Sendable, Hashable, Codable {
    /// How many lines there were, of clients and of servers; of a load also those that were not looked at
    /// (``sampledOneOf``).
    public var lines: Int
    /// If not 1: of lines beyond the first, one of so many was looked at.
    public var sampledOneOf: Int
    /// The commands of the dialect, in its order.
    public var commands: [Use]
    /// The ways in which a server's lines broke the dialect, each with its first line.
    public var breaks: [Break]
    /// How many broken lines were of further kinds.
    public var otherBreaks: Int
    /// Lines that the server has cut at the dialect's maximum: no breaks, where the dialect allows it.
    public var cuts: [Break]
    /// How many lines of further commands were cut.
    public var otherCuts: Int

    /// A report of nothing.
    public init() {
        lines = 0
        sampledOneOf = 1
        commands = []
        breaks = []
        otherBreaks = 0
        cuts = []
        otherCuts = 0
    }

    /// How often a command was seen.
    public struct Use: Sendable, Hashable, Codable {
        /// Its name in messages.
        public var name: String
        /// Its name on the wire; `###` stands for digits, `notify…` for all that begin so.
        public var wire: String
        /// Whether clients send it.
        public var isClients: Bool
        /// Whether servers send it.
        public var isServers: Bool
        /// How often a client sent it.
        public var sent: Int
        /// How often a server sent it.
        public var received: Int

        /// A count from its parts.
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

    /// Where a line was seen.
    public struct Place: Sendable, Hashable, Codable {
        /// The scenario's file.
        public var file: String
        /// The line (from 1) of its step that was under way, if one was.
        public var line: Int?
        /// Whose connection it was.
        public var operatorName: String

        /// A place from its parts.
        public init(file: String, line: Int?, operatorName: String) {
            self.file = file
            self.line = line
            self.operatorName = operatorName
        }
    }

    /// A way of breaking the dialect.
    public struct Break: Sendable, Hashable, Codable {
        /// A stable word: `unknown-command`, `too-few`, `too-many`, `bad-value`, `bad-escape`, `framing`;
        /// of what is no break, `cut`.
        public var kind: String
        /// The command as it stands on the wire.
        public var command: [UInt8]
        /// What is wrong, in words.
        public var words: String
        /// How many lines broke it so.
        public var count: Int
        /// The first of them, without its terminator, cut to ``CommandTableTally/exampleBytesMax``.
        public var example: [UInt8]
        /// Where the first of them was seen, where that is known.
        public var place: Place?

        /// A break from its parts.
        public init(
            kind: String, command: [UInt8], words: String, count: Int, example: [UInt8],
            place: Place? = nil
        ) {
            self.kind = kind
            self.command = command
            self.words = words
            self.count = count
            self.example = example
            self.place = place
        }
    }

    /// How many lines of servers were cut.
    public var cutLines: Int { cuts.reduce(otherCuts) { $0 + $1.count } }

    /// How many lines of servers broke the dialect.
    public var brokenLines: Int { breaks.reduce(otherBreaks) { $0 + $1.count } }

    /// Commands that were never seen.
    public var neverSeen: [Use] { commands.filter { $0.sent == 0 && $0.received == 0 } }

    /// Adds what another one counted of the same dialect.
    public mutating func merge(_ other: SchemaReport) {
        lines += other.lines
        sampledOneOf = max(sampledOneOf, other.sampledOneOf)
        for (place, use) in other.commands.enumerated() { add(use, likelyAt: place) }
        otherBreaks += other.otherBreaks
        otherBreaks += Self.merge(other.breaks, into: &breaks)
        otherCuts += other.otherCuts
        otherCuts += Self.merge(other.cuts, into: &cuts)
    }

    /// The most commands of two versions of a dialect together.
    private static let commandsMax = 4_000

    /// Adds the counts of a command; of two versions of a dialect one may lack it.
    private mutating func add(_ use: Use, likelyAt place: Int) {
        func isIt(_ mine: Use) -> Bool { mine.name == use.name && mine.wire == use.wire }
        let isThere = commands.indices.contains(place) && isIt(commands[place])
        if let place = isThere ? place : commands.firstIndex(where: isIt) {
            commands[place].sent += use.sent
            commands[place].received += use.received
        } else if commands.count < Self.commandsMax {
            commands.append(use)
        }
    }

    /// Adds counts; of kinds that have no place any more it says how many lines there were.
    private static func merge(_ others: [Break], into breaks: inout [Break]) -> Int {
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
