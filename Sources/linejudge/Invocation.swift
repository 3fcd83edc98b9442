import ArgumentParser
import Diagnostics
import DialectFiles
import Report
import Results
import Runner

/// What was typed, and what becomes of it.
struct Invocation {
    let arguments: [String]
    let environment: [String: String]

    init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Carries the command out and says how the process ends.
    func run() async -> Ending {
        let code = await outcome()
        if Output.standard.isBroken { return .ok }
        guard let failure = Output.standard.failure else { return code }
        tell([
            Diagnostic(.error, .cannotWrite, "standard output cannot be written: \(failure)")
        ])
        return .software
    }

    private func outcome() async -> Ending {
        do {
            try refuseUnknownCommand()
            if arguments.first != LoadWorkerCommand.name { warnOfUnknownVariables() }
            let completed = try EnvironmentOptions.complete(arguments, from: environment)
            var command = try Linejudge.parseAsRoot(completed)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .ok
        } catch let failure as CommandFailure {
            tell(failure.diagnostics)
            return failure.code
        } catch let error as Diagnosed {
            tell(error.diagnostics)
            return error.isMissingDialect ? .noInput : .unparsable
        } catch {
            return end(with: error)
        }
    }

    private func tell(_ diagnostics: [Diagnostic]) {
        if diagnostics.isEmpty { return }
        let isColoured = colourMode.usesColour(
            environment: environment, isTerminal: Output.error.isTerminal)
        Output.error.write(DiagnosticRenderer(isColoured: isColoured).text(diagnostics))
    }

    /// `--color` as far as it can be known before the command line is understood.
    private var colourMode: ColourMode {
        var word = environment[Environment.prefix + "COLOR"]
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            if argument.hasPrefix("--color=") { word = String(argument.dropFirst(8)) }
            if argument == "--color", index + 1 < arguments.count { word = arguments[index + 1] }
        }
        return word.flatMap(ColourMode.init) ?? .auto
    }

    /// What ArgumentParser throws: a wish for help, or something that it does not understand.
    private func end(with error: any Error) -> Ending {
        let isWish = Linejudge.exitCode(for: error) == .success
        let columns = Output.standard.columns.map { min($0, 100) } ?? 80
        let text = Linejudge.fullMessage(for: error, columns: columns) + "\n"
        if isWish {
            Output.standard.write(text)
            return .ok
        }
        if Linejudge.exitCode(for: error) == .validationFailure {
            let message = UsageMessage(text)
            tell([noted(message)])
            return .usage
        }
        tell([Diagnostic(.error, .internalError, "\(error)").help("this is a fault of linejudge")])
        return .software
    }

    /// With where a value came from that the message complains of, if not from the command line.
    private func noted(_ message: UsageMessage) -> Diagnostic {
        guard let option = message.option,
            let origin = EnvironmentOptions.names(in: environment).first(where: {
                "--\($0.option)" == option && !isTyped($0.option)
            })
        else { return message.diagnostic }
        return message.diagnostic.note("the value comes from \(origin.variable)")
    }

    private func isTyped(_ option: String) -> Bool {
        arguments.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
    }

    /// A slip of the pen in a command's name gets an answer of its own.
    private func refuseUnknownCommand() throws(CommandFailure) {
        guard let first = arguments.first, !first.hasPrefix("-"), first != LoadWorkerCommand.name
        else { return }
        try check(first, among: Linejudge.commandNames, after: "linejudge")
        guard first == DialectCommand.name, arguments.count > 1, !arguments[1].hasPrefix("-") else {
            return
        }
        try check(arguments[1], among: DialectCommand.commandNames, after: "linejudge dialect")
    }

    private func check(
        _ word: String, among known: [String], after command: String
    ) throws(CommandFailure) {
        guard word != "help", !known.contains(word) else { return }
        let meant = didYouMean(word, among: known)
        throw CommandFailure(
            .usage, .unknownCommand, "`\(command)` has no command `\(word)`",
            help: meant.map { "did you mean `\(command) \($0)`?" }
                ?? "there are: \(known.joined(separator: ", "))")
    }

    private func warnOfUnknownVariables() {
        let unknown = EnvironmentOptions.unknownVariables(in: environment)
        tell(
            unknown.map { name, meant in
                let warning = Diagnostic(
                    .warning, .unknownVariable, "\(name) stands for no option")
                return meant.map { warning.help("did you mean \($0)?") } ?? warning
            })
    }
}
