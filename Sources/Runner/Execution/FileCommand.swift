import Diagnostics
import Scenario

extension LoadedScenario {
    /// Names of the variables declared in `secret` lines.
    var secretNames: [String] { (file?.header.secrets ?? []).map(\.text) }

    /// Returns the command of the `exec` line, with all placeholders filled in except `{{port}}`
    /// and `{{dir}}`; nil if there is no such line.
    func command(_ options: RunOptions) throws(Diagnosed) -> ServerCommand? {
        guard let file, let template = file.header.command else { return nil }
        if !options.allowsCommands {
            throw Diagnosed(
                Diagnostic(
                    .error, .execNotAllowed,
                    "--no-exec does not allow scenarios that start a program",
                    at: DiagnosticLocation(source: file.source, range: template.range)
                ).help("review the command, then run the scenario without --no-exec"))
        }
        var text: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let literal): text += literal.bytes
            case .placeholder(let placeholder): text += try bytes(of: placeholder, file, options)
            }
        }
        let line = file.source.position(at: template.range.start).line
        var command = ServerCommand(
            String(decoding: text, as: UTF8.self), origin: "\(path):\(line): exec")
        command.startTimeout = options.startTimeout
        return command
    }

    private func bytes(
        of placeholder: Placeholder, _ file: ScenarioFile, _ options: RunOptions
    ) throws(Diagnosed) -> [UInt8] {
        let secrets = options.variables.secrets.union(secretNames)
        if let name = placeholder.variable, secrets.contains(name) {
            throw Diagnosed(
                Diagnostic(
                    .error, .badCommand,
                    "a command cannot contain a secret, because other users can see command lines",
                    at: DiagnosticLocation(source: file.source, range: placeholder.range)
                ).help(
                    "pass it in a file or an environment variable; the server does not receive "
                        + "\(RunVariables.secretPrefix)\(name)"
                ))
        }
        switch placeholder.kind {
        case .variable("port"): return Array(ServerCommand.port.utf8)
        case .variable("dir"): return Array(ServerCommand.folder.utf8)
        case .variable(let name):
            if let value = values(options.variables)[name] { return value }
        case .environment(let name):
            if let value = options.environment[name] { return Array(value.utf8) }
        case .bytes(let bytes, let count):
            return Array(repeatElement(bytes, count: count).joined())
        case .typed, .regex, .anything, .rest, .end, .length, .computed: break
        }
        throw Diagnosed(
            Diagnostic(
                .error, .badCommand, "this placeholder cannot be resolved in `exec`",
                at: DiagnosticLocation(source: file.source, range: placeholder.range)
            ).help("`exec` accepts {{port}}, {{dir}}, {{env.NAME}} and variables set with --var"))
    }
}
