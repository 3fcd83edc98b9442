import ArgumentParser

/// The scenario that is written of what was said.
struct ScenarioWritingOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the scenario there; - is standard output.", valueName: "file"))
    var output = "-"

    @Option(help: ArgumentHelp("The scenario's title.", valueName: "text"))
    var title: String?

    @Flag(help: "Make the clients' pauses steps of the scenario.")
    var keepPauses = false

    @Option(
        help: ArgumentHelp(
            "A value that must not stand in the scenario: it becomes {{NAME}}. Repeatable.",
            valueName: "name=value"))
    var secret: [String] = []

    func validate() throws {
        for secret in secret {
            guard let sign = secret.firstIndex(of: "="), sign != secret.startIndex,
                secret.index(after: sign) != secret.endIndex
            else {
                throw ValidationError("--secret takes a name and its value: password=hunter2")
            }
        }
        if title?.contains(where: \.isNewline) == true {
            throw ValidationError("--title takes one line")
        }
    }

    /// The secrets' values by their names.
    var secretValues: [String: [UInt8]] {
        Dictionary(
            secret.compactMap { text in
                guard let sign = text.firstIndex(of: "=") else { return nil }
                return (String(text[..<sign]), Array(text[text.index(after: sign)...].utf8))
            }, uniquingKeysWith: { _, last in last })
    }
}
