import ArgumentParser
import Console
import Recorder
import Runner

/// Options for the scenario written by `record` and `decode`.
struct ScenarioWritingOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["chat", "html"]))
    var output = "-"

    @Option(help: ArgumentHelp("Scenario title.", valueName: "text"))
    var title: String?

    @Flag(help: "Keep the pauses between client lines as steps.")
    var keepPauses = false

    @Option(
        help: ArgumentHelp(
            "Replace this value with {{NAME}} in the scenario, like the value of LINEJUDGE_SECRET_NAME. Repeatable.",
            valueName: "name=value"))
    var secret: [String] = []

    func validate() throws {
        for secret in secret {
            guard let sign = secret.firstIndex(of: "="), sign != secret.startIndex,
                secret.index(after: sign) != secret.endIndex
            else {
                throw ValidationError("--secret takes NAME=VALUE, such as password=hunter2")
            }
        }
        if title?.contains(where: \.isNewline) == true {
            throw ValidationError("--title must be a single line")
        }
    }

    var options: ScenarioWriting.Options {
        var options = ScenarioWriting.Options()
        options.output = output
        options.title = title
        options.keepsPauses = keepPauses
        options.secrets = Dictionary(
            secret.compactMap { text in
                guard let sign = text.firstIndex(of: "=") else { return nil }
                return (String(text[..<sign]), Array(text[text.index(after: sign)...].utf8))
            }, uniquingKeysWith: { _, last in last }
        ).merging(RunVariables.secrets(of: Environment.ofProcess)) { given, _ in given }
        return options
    }
}
