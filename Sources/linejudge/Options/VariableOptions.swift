import ArgumentParser
import Runner

/// Options for setting variables.
struct VariableOptions: ParsableArguments {
    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "Set a variable for scenarios or for the dialect's behaviours. Repeatable.",
            valueName: "name=value"))
    var options: [String] = []

    @Option(
        name: .customLong("vars"),
        help: ArgumentHelp(
            """
            Set the variables in a file: a YAML or JSON map (.yaml, .yml, .json), or NAME=value lines \
            (.env). Repeatable; later files and --var take precedence.
            """, valueName: "file"), completion: .file(extensions: ["env", "yaml", "yml", "json"]))
    var files: [String] = []

    var given: GivenVariables { GivenVariables(options: options, files: files) }
}
