import Diagnostics
import LineProtocol

/// Reader for a dialect's `commands:` section. Also derives the rules that depend on all commands
/// together: which have payloads or blocks, and where the transaction ID is.
struct CommandsReader {
    static let commandsMax = 2_000

    private let problems: Problems
    private let ignoringCase: PerDirection<Bool>
    private(set) var commands: [ParsedCommand] = []

    init(_ setting: Setting?, _ reader: SignatureReader, ignoringCase: PerDirection<Bool>) {
        problems = reader.problems
        self.ignoringCase = ignoringCase
        guard let setting, let section = setting.openSection() else { return }
        let settings = section.settings
        guard settings.count <= Self.commandsMax else {
            problems.error(
                .tooMany, "more than \(Self.commandsMax) commands", at: setting.key)
            return
        }
        commands = settings.compactMap(reader.command)
        checkWires()
    }

    /// Reports commands that are sent in the same direction and have the same wire name, because
    /// only the first of them would ever match.
    private func checkWires() {
        var first: [WireKey: ParsedCommand] = [:]
        for command in commands {
            for direction in Direction.allCases
            where command.signature.direction.allows(direction) {
                let key = WireKey(
                    wire: folded(command.signature.wire, direction), direction: direction)
                if let other = first[key] {
                    let whose = direction == .fromClient ? "client" : "server"
                    problems.error(
                        .duplicateWire,
                        "`\(command.signature.name)` and `\(other.signature.name)` have the same wire name when sent by the \(whose)",
                        at: command.wireRange,
                        help: "give each its own wire name; only the first would match",
                        first: other.wireRange)
                } else {
                    first[key] = command
                }
            }
        }
    }

    private struct WireKey: Hashable {
        var wire: WireName
        var direction: Direction
    }

    private func folded(_ wire: WireName, _ direction: Direction) -> WireName {
        guard ignoringCase[direction] else { return wire }
        switch wire {
        case .exact(let bytes): return .exact(bytes.map(ASCII.uppercased))
        case .prefix(let bytes): return .prefix(bytes.map(ASCII.uppercased))
        case .digits, .none, .prompted: return wire
        }
    }

    /// Reads `checked-commands:`, a list of client commands; nil if it is missing.
    func checked(_ setting: Setting?, _ problems: Problems) -> [String]? {
        guard let items = setting?.list(max: Self.commandsMax) else { return nil }
        let known = commands.map(\.signature).filter { $0.direction.allows(.fromClient) }
            .map(\.name)
        return items.compactMap { item in
            guard let name = item.identifier("a valid command name") else { return nil }
            if known.contains(name) { return name }
            problems.error(
                .unknownCommand, "no client command `\(shortened(name))`",
                at: item.value.range,
                help: didYouMean(name, among: known).map { "did you mean `\($0)`?" }
                    ?? "use a name from `commands:`")
            return nil
        }
    }

    /// Returns the rules for commands with a counted payload.
    func payloads(terminated: Bool) -> [Framing.PayloadRule] {
        commands.compactMap { command in
            guard case .exact(let verb) = command.signature.wire, let field = command.lengthField,
                command.arguments.contains(where: { $0.signature.position == .payload })
            else { return nil }
            return Framing.PayloadRule(
                verb: verb, direction: command.signature.direction, lengthField: field,
                terminated: terminated)
        }
    }

    /// Returns the rules for commands with a dot-terminated block.
    func blocks(_ syntax: PerDirection<FieldSyntax>) -> [Framing.BlockRule] {
        let reader = BlockAfterReader(commands: commands, syntax: syntax, problems: problems)
        reader.checkCount()
        return commands.compactMap { command in
            guard let verb = command.signature.wire.blockVerb,
                command.arguments.contains(where: \.isBlock)
            else { return nil }
            return Framing.BlockRule(
                verb: verb, direction: command.signature.direction,
                after: command.blockAfter.map { reader.triggers($0, of: command) })
        }
    }

    /// Returns the lines from the server that prompt for a line without a command.
    func linePrompts(_ syntax: PerDirection<FieldSyntax>) -> [Framing.BlockTrigger] {
        let reader = BlockAfterReader(commands: commands, syntax: syntax, problems: problems)
        return commands.flatMap { command in
            command.lineAfter.map { reader.triggers($0, of: command) } ?? []
        }
    }

    /// Returns the position of the transaction ID, which is the position of the arguments declared
    /// `in correlation`; nil if there are none. Commands without such an argument have no
    /// transaction ID.
    ///
    /// - Parameter direction: the sender of the commands to consider; nil for all commands.
    func correlation(_ direction: Direction?) -> FieldSyntax.Correlation? {
        var first: (index: Int, argument: ParsedArgument)?
        var exempt: [FieldSyntax.Correlation.Exemption] = []
        for command in commands {
            if let direction, !command.signature.direction.allows(direction) { continue }
            let ordered = command.arguments.filter { $0.signature.position.isInOrder }
            guard let index = ordered.firstIndex(where: { $0.signature.position == .correlation })
            else {
                if case .exact(let verb) = command.signature.wire {
                    exempt.append(
                        FieldSyntax.Correlation.Exemption(
                            verb: verb, direction: command.signature.direction))
                }
                continue
            }
            if let first, first.index != index {
                problems.error(
                    .argumentOrder, "the transaction id has a different position here",
                    at: ordered[index].setting.key, first: first.argument.setting.key)
            }
            first = first ?? (index, ordered[index])
        }
        return first.map { FieldSyntax.Correlation(field: $0.index, exempt: exempt) }
    }
}
