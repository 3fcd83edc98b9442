import ArgumentParser
import Console
import DialectFiles
import FoundationEssentials
import Load
import Manual
import Results

/// The `linejudge generate-docs` command, which writes the manual pages, the command-line reference
/// and the JSON Schemas of dialect files and plans. It fails if an example in the reference does
/// not parse.
struct GenerateDocsCommand: ParsableCommand {
    static let name = "generate-docs"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write manual pages, the command-line reference and JSON Schemas.",
        shouldDisplay: false)

    @Option(help: ArgumentHelp("Folder for manual pages.", valueName: "folder"))
    var man: String?

    @Option(
        help: ArgumentHelp("File for the reference (- for standard output).", valueName: "file"))
    var markdown: String?

    @Option(help: ArgumentHelp("Folder for the JSON Schemas of YAML files.", valueName: "folder"))
    var schemas: String?

    func run() throws {
        let root = Linejudge.page
        for example in root.all.flatMap({ $0.manual?.examples ?? [] }) {
            _ = try Linejudge.parseAsRoot(
                Array(CommandLineText.words(of: example.command).dropFirst()))
        }
        if let man {
            for page in root.all {
                let name = page.words.joined(separator: "-")
                try write(ManPage(page).text, to: "\(man)/\(name).1")
            }
        }
        if let markdown { try write(CommandReference(root).text, to: markdown) }
        if let schemas {
            try write(dialectSchema, to: "\(schemas)/\(Self.dialectSchemaName)")
            try write(planSchema, to: "\(schemas)/\(Self.planSchemaName)")
        }
    }

    private static let dialectSchemaName = "dialect.schema.json"
    private static let planSchemaName = "plan.schema.json"

    private var dialectSchema: String {
        get throws {
            try SettingsSchema(
                DialectKeys.table, title: "Linejudge dialect file",
                description: "For the settings, see dialect-language.md.",
                file: Self.dialectSchemaName
            ).text()
        }
    }

    private var planSchema: String {
        get throws {
            try SettingsSchema(
                PlanKeys.table, title: "Linejudge load plan",
                description: "For the settings, see load.md.", file: Self.planSchemaName
            ).text()
        }
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        guard path != "-" else { return Output.standard.write(text) }
        try OutputFile(path: path).prepare(as: "page")
        try OutputFile(path: path).write(text, as: "page")
    }
}
