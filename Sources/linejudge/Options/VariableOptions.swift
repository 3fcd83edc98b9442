import ArgumentParser
import Runner

/// Options that set variables.
struct VariableOptions: ParsableArguments {
    @Option(
        name: .customLong("var"),
        help: ArgumentHelp(
            "Set a variable of scenarios or of the dialect's behaviours. Repeatable.",
            valueName: "name=value"))
    var options: [String] = []

    @Option(
        name: .customLong("vars"),
        help: ArgumentHelp(
            """
            Set the variables in a file: a YAML or JSON map (.yaml, .yml, .json), or lines NAME=value \
            (.env). Repeatable; later files and --var take precedence.
            """, valueName: "file"), completion: .file(extensions: ["env", "yaml", "yml", "json"]))
    var files: [String] = []

    var given: GivenVariables { GivenVariables(options: options, files: files) }
}
