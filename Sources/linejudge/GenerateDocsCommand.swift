import ArgumentParser
import Foundation

/// `linejudge generate-docs`: writes the manual pages and the reference of the command line, after
/// parsing all examples.
struct GenerateDocsCommand: ParsableCommand {
    static let name = "generate-docs"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Write manual pages and the reference of the command line.", shouldDisplay: false)

    @Option(help: ArgumentHelp("Folder for manual pages.", valueName: "dir"))
    var man: String?

    @Option(
        help: ArgumentHelp("File for the reference (- for standard output).", valueName: "file"))
    var markdown: String?

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
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        guard path != "-" else { return Output.standard.write(text) }
        try OutputFile(path: path).prepare(as: "page")
        try OutputFile(path: path).write(text, as: "page")
    }
}
