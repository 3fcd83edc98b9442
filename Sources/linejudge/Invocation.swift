import ArgumentParser
import Console
import Diagnostics
import DialectFiles
import Jobs
import Manual
import Report
import Results
import Runner
import Transport

/// One invocation of the tool, from its arguments to its exit code.
struct Invocation {
    private let arguments: [String]
    private let environment: [String: String]
    private let options: EnvironmentOptions

    init(arguments: [String], environment: [String: String]) {
        self.arguments = RenamedOptions.current(arguments)
        self.environment = environment
        options = EnvironmentOptions(
            of: { Array(Linejudge.page.all.dropFirst()) }, in: environment)
    }

    /// Runs the command and returns the exit code.
    func run() async -> Ending {
        if CISystem(environment: environment)?.githubJob != nil {
            Output.standard.beginFilter()
            Output.error.beginFilter()
        }
        hideSecrets()
        let code = await outcome()
        if Output.standard.isBroken { return .ok }
        guard let failure = Output.standard.failure else { return code }
        show([
            Diagnostic(.error, .cannotWrite, "cannot write to standard output: \(failure)")
        ])
        return .software
    }

    /// Masks secrets from the environment, from options and in addresses in all output. `fmt` is
    /// exempt because its output is the user's own source.
    private func hideSecrets() {
        guard arguments.first != FormatCommand.configuration.commandName else { return }
        Redaction.hide(RunVariables.secrets(of: environment).values)
        let arguments = (try? options.complete(arguments)) ?? arguments
        for (option, separators) in [("--account", ":="), ("--secret", "=:"), ("--vars", "=")] {
            Redaction.hide(
                values(of: option, in: arguments).map { text in
                    guard let separator = text.firstIndex(where: separators.contains) else {
                        return option == "--vars" ? [] : Array(text.utf8)
                    }
                    return Array(text[separator...].utf8.dropFirst())
                })
        }
        Redaction.hide(arguments.compactMap(Self.password))
        let addresses = ["--listen", "--metrics", "--server", "--watch", "--against"].flatMap {
            values(of: $0, in: arguments)
        }
        Redaction.hide(
            addresses.compactMap { Self.password(inAddress: "tcp://\($0)") })
        // The query of an address may contain a token.
        Redaction.hide(
            addresses.compactMap { text in
                let query = text.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
                return query.isEmpty ? nil : Array(query.utf8)
            })
    }

    /// Returns the password in an address such as `irc://user:password@host`, which Linejudge
    /// rejects; nil if there is none.
    private static func password(inAddress text: String) -> [UInt8]? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        let credentials = authority[..<at]
        let colon = credentials.firstIndex(of: ":").map(credentials.index(after:))
        return Array(credentials[(colon ?? credentials.startIndex)...].utf8)
    }

    /// Returns all values given for an option, as `--option value` or `--option=value`.
    private func values(of option: String, in arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
            + arguments.filter { $0.hasPrefix(option + "=") }.map {
                String($0.dropFirst(option.count + 1))
            }
    }

    private func outcome() async -> Ending {
        do {
            try refuseUnknownCommand()
            if arguments.first != LoadWorkerCommand.name { warnOfUnknownVariables() }
            let completed = try options.complete(arguments)
            try LiveArgument.check(completed)
            if system(completed) != nil {
                Output.standard.becomePlain()
                Output.error.becomePlain()
            }
            var command = try parse(completed)
            try ResourceLimits.check(connects: command is any ConnectingCommand)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .ok
        } catch let failure as CommandFailure {
            show(failure.diagnostics)
            annotate(failure.diagnostics)
            return failure.code
        } catch let error as Diagnosed {
            show(error.diagnostics)
            annotate(error.diagnostics)
            return error.isMissingDialect ? .noInput : .unparsable
        } catch {
            return end(with: error)
        }
    }

    /// Parses the arguments with the subcommand alone, because the root command would list the
    /// subcommand's options twice more. If that fails, the root command reports the error.
    private func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let command = Linejudge.configuration.subcommands.first {
            $0.configuration.commandName == arguments.first && $0.configuration.subcommands.isEmpty
        }
        if let command, let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())) {
            return parsed
        }
        return try Linejudge.parseAsRoot(arguments)
    }

    private func show(_ diagnostics: [Diagnostic]) {
        if diagnostics.isEmpty { return }
        let isColoured = colourMode.usesColour(
            environment: environment, isTerminal: Output.error.isTerminal)
        Output.error.write(DiagnosticRenderer(isColoured: isColoured).text(diagnostics))
    }

    /// Returns the CI system; nil if there is none, or if `--no-ci` is given.
    private func system(_ arguments: [String]) -> CISystem? {
        let isIgnored = arguments.prefix { $0 != "--" }.contains("--no-ci")
        return isIgnored ? nil : CISystem(environment: environment)
    }

    /// Writes the final errors as annotations, too, if the CI system supports them.
    private func annotate(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty,
            let completed = try? options.complete(arguments), let system = system(completed)
        else { return }
        CILog(system.githubJob).annotate(in: .error) {
            GitHubReport.text(diagnostics, paths: $0)
        }
    }

    /// Value of `--color`, read before the command line is parsed; `.auto` if it is missing or
    /// invalid.
    private var colourMode: ColourMode {
        var word = environment[Environment.prefix + "COLOR"]
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            if argument.hasPrefix("--color=") { word = String(argument.dropFirst(8)) }
            if argument == "--color", index + 1 < arguments.count { word = arguments[index + 1] }
        }
        return word.flatMap(ColourMode.init) ?? .auto
    }

    /// Handles errors thrown by ArgumentParser: a request for help, a usage error, or an internal
    /// error.
    private func end(with error: any Error) -> Ending {
        let text = Linejudge.fullMessage(for: error, columns: columns) + "\n"
        switch Linejudge.exitCode(for: error) {
        case .success:
            Output.standard.write(text.hasPrefix("OVERVIEW: ") ? help(text) : text)
            return .ok
        case .validationFailure:
            show([withOrigin(UsageMessage(text))])
            return .usage
        default:
            show([Diagnostic(.error, .internalError, "\(error)").help("this is a bug in linejudge")]
            )
            return .software
        }
    }

    /// Width of help texts, in columns.
    private var columns: Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns >= 40 {
            return columns
        }
        return Output.standard.columns.map { max(40, min($0, 100)) } ?? 80
    }

    /// Returns ArgumentParser's help, followed by examples and exit codes.
    private func help(_ text: String) -> String {
        let page = Linejudge.page.command(in: arguments)
        let body = text.replacing(/\n  See '.*' for detailed help\./) { _ in
            "\n  Run `\(page.name) COMMAND --help` for options."
        }
        let end = body.lastIndex { $0 != "\n" } ?? body.startIndex
        let sections = page.manual.map { HelpSections(manual: $0, columns: columns).text } ?? ""
        return body[...end] + "\n" + sections
    }

    /// Returns an error with this message. If the value comes from an environment variable, adds a
    /// note with the variable's name.
    private func withOrigin(_ message: UsageMessage) -> Diagnostic {
        guard let option = message.option?.drop(while: { $0 == "-" }), !isGiven("--\(option)"),
            let variable = options.variable(setting: String(option))
        else { return message.diagnostic }
        return message.diagnostic.note("the value comes from \(variable)")
    }

    private func isGiven(_ option: String) -> Bool {
        arguments.contains { $0 == option || $0.hasPrefix("\(option)=") }
    }

    /// Commands of other tools, with the equivalent Linejudge commands.
    private static let synonyms = ["format": "fmt", "test": "run", "server": "serve"]

    private func refuseUnknownCommand() throws(CommandFailure) {
        guard let first = arguments.first, !first.hasPrefix("-"), first != LoadWorkerCommand.name,
            first != GenerateDocsCommand.name
        else { return }
        try check(first, after: Linejudge.page)
        guard let second = arguments.dropFirst().first, !second.hasPrefix("-"),
            first == DialectCommand.name
        else { return }
        try check(second, after: Linejudge.page.command(in: [first]))
    }

    private func check(_ word: String, after page: CommandPage) throws(CommandFailure) {
        let known = page.subcommands.compactMap(\.words.last)
        guard word != "help", !known.contains(word) else { return }
        let synonym = Self.synonyms[word].flatMap { known.contains($0) ? $0 : nil }
        let suggestion = synonym ?? didYouMean(word, among: known)
        throw CommandFailure(
            .usage, .unknownCommand, "unknown command `\(page.name) \(word)`",
            help: suggestion.map { "did you mean `\(page.name) \($0)`?" }
                ?? "commands: \(known.joined(separator: ", "))")
    }

    private func warnOfUnknownVariables() {
        show(
            options.unknownVariables.map { name, suggestion in
                let warning = Diagnostic(
                    .warning, .unknownVariable, "unknown environment variable \(name)")
                return suggestion.map { warning.help("did you mean \($0)?") } ?? warning
            })
    }
}
