import ArgumentParser
import Manual

/// A command whose help includes examples and exit codes.
protocol ManualCommand: ParsableCommand {
    static var manual: CommandManual { get }
}

extension CommandPage {
    init(_ type: any ParsableCommand.Type, below parents: [String] = []) {
        let configuration = type.configuration
        let words = parents + [configuration.commandName ?? ""]
        self.init(
            words, abstract: configuration.abstract, usage: configuration.usage,
            discussion: configuration.discussion,
            manual: (type as? any ManualCommand.Type)?.manual,
            subcommands: configuration.subcommands.filter { $0.configuration.shouldDisplay }
                .map { CommandPage($0, below: words) },
            description: { type._dumpHelp() })
    }
}
