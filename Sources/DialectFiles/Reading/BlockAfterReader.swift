import Diagnostics
import LineProtocol

/// Reader for the keys `block-after` and `line-after` of commands, which list commands from the
/// other side.
struct BlockAfterReader {
    /// The words after a command that must have no arguments.
    static let condition = " without arguments"

    let commands: [ParsedCommand]
    let syntax: PerDirection<FieldSyntax>
    let problems: Problems

    /// Reports an error if too many commands have `block-after`.
    func checkCount() {
        let settings = commands.compactMap(\.blockAfter)
        guard settings.count > Framing.conditionalBlocksMax else { return }
        problems.error(
            .tooMany, "more than \(Framing.conditionalBlocksMax) commands with `block-after`",
            at: settings[Framing.conditionalBlocksMax].key)
    }

    /// Returns the lines from the other side that trigger `command` or its block.
    func triggers(_ setting: Setting, of command: ParsedCommand) -> [Framing.BlockTrigger] {
        let items = setting.list(max: CommandKeys.blockTriggersMax) ?? []
        let sender: Direction =
            command.signature.direction == .client ? .fromServer : .fromClient
        if syntax[sender].json != nil {
            problems.error(
                .conflict, "the lines of the other side are JSON objects", at: setting.key,
                help: "`\(setting.name)` works only if the other side's lines consist of fields")
        }
        let known = commands.map(\.signature).filter { $0.direction.allows(sender) }
        return items.compactMap { item in
            guard let text = item.text(bytesMax: 128) else { return nil }
            let withoutArguments = text.hasSuffix(Self.condition)
            let name = withoutArguments ? String(text.dropLast(Self.condition.count)) : text
            guard let other = known.first(where: { $0.name == name }) else {
                reportUnknown(name, item, known.map(\.name), sender)
                return nil
            }
            guard case .exact(let verb) = other.wire else {
                problems.error(
                    .classVerb, "`\(name)` has no fixed wire name", at: item.value.range,
                    help: "add a command with its own `wire`, and use that one")
                return nil
            }
            return Framing.BlockTrigger(verb: verb, withoutArguments: withoutArguments)
        }
    }

    private func reportUnknown(
        _ name: String, _ item: Setting, _ known: [String], _ sender: Direction
    ) {
        let side = sender == .fromClient ? "client" : "server"
        problems.error(
            .unknownCommand, "no \(side) command `\(shortened(name))`", at: item.value.range,
            help: didYouMean(name, among: known).map { "did you mean `\($0)`?" }
                ?? "write the name of a command, or `NAME without arguments`")
    }
}
