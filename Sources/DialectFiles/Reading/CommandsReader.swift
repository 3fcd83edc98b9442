import Diagnostics
import LineProtocol

/// Reads `commands:` and derives what depends on all commands: payloads, blocks and the transaction
/// ID.
struct CommandsReader {
    static let commandsMax = 2_000

    private let problems: Problems
    private let ignoringCase: Bool
    private(set) var commands: [ParsedCommand] = []

    init(_ setting: Setting?, _ reader: CommandReader, ignoringCase: Bool) {
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

    /// Reports commands in the same direction that share a wire name, because only the first of
    /// them would ever match.
    private func checkWires() {
        var first: [WireKey: ParsedCommand] = [:]
        for command in commands {
            for direction in Direction.allCases
            where command.signature.direction.allows(direction) {
                let key = WireKey(
                    wire: folded(command.signature.wire), direction: direction)
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

    private func folded(_ wire: WireName) -> WireName {
        guard ignoringCase else { return wire }
        switch wire {
        case .exact(let bytes): return .exact(bytes.map(ASCII.uppercased))
        case .prefix(let bytes): return .prefix(bytes.map(ASCII.uppercased))
        case .digits, .none: return wire
        }
    }

    /// Returns the commands with a counted payload.
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

    /// The commands with a block that ends with a dot.
    var blocks: [Framing.BlockRule] {
        commands.compactMap { command in
            guard case .exact(let verb) = command.signature.wire,
                command.arguments.contains(where: \.isBlock)
            else { return nil }
            return Framing.BlockRule(verb: verb, direction: command.signature.direction)
        }
    }

    /// Returns the position of the transaction ID, which is given by arguments `in correlation`.
    /// Commands without such an argument have no transaction ID.
    func correlation() -> FieldSyntax.Correlation? {
        var first: (index: Int, argument: ParsedArgument)?
        var exempt: [FieldSyntax.Correlation.Exemption] = []
        for command in commands {
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
