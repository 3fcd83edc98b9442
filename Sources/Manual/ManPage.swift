import Results

/// A manual page, written with the `man` macros.
package struct ManPage {
    private let page: CommandPage
    private let arguments: [ArgumentInfo]

    package init(_ page: CommandPage) {
        self.page = page
        arguments = page.arguments()
    }

    package var text: String {
        let name = page.words.joined(separator: "-")
        var text = """
            .TH "\(name.uppercased())" "1" "" "linejudge \(toolVersion)" "Linejudge"
            .SH NAME
            \(name.replacing("-", with: "\\-")) \\- \(Self.escaped(page.abstract))
            .SH SYNOPSIS
            .nf
            \(Self.escaped(synopsis))
            .fi
            .SH DESCRIPTION

            """
        let discussion = page.discussion
        let paragraphs =
            [discussion.isEmpty ? page.abstract : discussion]
            + (page.manual?.details ?? []) + (page.manual?.topics.map(\.text) ?? [])
        text += paragraphs.map { Self.paragraph($0) }.joined(separator: ".PP\n")
        return text + commands + options + examples + exitStatus + environment + seeAlso
    }

    private var synopsis: String { page.usage ?? "\(page.name) COMMAND [OPTIONS]" }

    private var commands: String {
        guard !page.subcommands.isEmpty else { return "" }
        return ".SH COMMANDS\n"
            + page.subcommands.map { command in
                entry(command.words.last ?? "", command.abstract)
            }.joined()
    }

    private var options: String {
        var text = ""
        var title: String?
        for argument in arguments {
            if text.isEmpty { text = ".SH OPTIONS\n" }
            if let section = argument.sectionTitle, section != title {
                text += ".SS \"\(section)\"\n"
                title = section
            }
            text += entry(argument.synopsis, argument.description)
        }
        return text
    }

    private var examples: String {
        guard let examples = page.manual?.examples, !examples.isEmpty else { return "" }
        return ".SH EXAMPLES\n"
            + examples.map { example in
                ".PP\n\(Self.escaped(example.purpose)):\n.PP\n.RS 4\n.nf\n"
                    + CommandLineText.lines(example.command, columns: 70)
                    .map { Self.escaped($0) + "\n" }.joined()
                    + ".fi\n.RE\n"
            }.joined()
    }

    private var exitStatus: String {
        guard let codes = page.manual?.exitCodes, !codes.isEmpty else { return "" }
        return ".SH EXIT STATUS\n" + codes.map { entry("\($0.code.rawValue)", $0.meaning) }.joined()
    }

    private var environment: String {
        let options = arguments.compactMap(\.longName).map {
            (EnvironmentOptions.variable($0), "Sets --\($0).")
        }
        let others = CommandVariables.all.map { ($0.name, $0.meaning) }
        let variables = page.words.count == 1 ? others : options
        guard !variables.isEmpty else { return "" }
        return ".SH ENVIRONMENT\n"
            + (page.words.count == 1 ? Self.paragraph(CommandVariables.rule) : "")
            + variables.map { entry($0.0, $0.1) }.joined()
    }

    private var seeAlso: String {
        let names = [page.words.dropLast()] + page.subcommands.map { $0.words[...] }
        let pages = names.filter { !$0.isEmpty }.map { words in
            "\\fB\(words.joined(separator: "\\-"))\\fR(1)"
        }
        return pages.isEmpty ? "" : ".SH SEE ALSO\n" + pages.joined(separator: ",\n") + "\n"
    }

    private func entry(_ term: String, _ text: String) -> String {
        ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.paragraph(text))"
    }

    /// Returns Markdown as plain paragraphs, without its link and code markup.
    private static func paragraph(_ markdown: String) -> String {
        let plain = markdown.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
            .replacing("`", with: "")
        return plain.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? ".PP\n" : escaped(String($0)) + "\n" }.joined()
    }

    /// Returns text with backslashes, hyphens, quotes and leading dots escaped, so that `man` shows
    /// them literally.
    private static func escaped(_ text: String) -> String {
        let body = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
            .replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}

/// Descriptions of environment variables, for the manual.
package enum CommandVariables {
    package static let rule = """
        Every option can also be set by an environment variable, such as `LINEJUDGE_TIMEOUT_STEP` for \
        `--timeout-step`. The command line takes precedence. To set a flag, use `1`, `true` or `yes`; \
        `LINEJUDGE_VERBOSE` takes a number, such as 2 for `-vv`; a repeatable option takes one value per \
        line. An unknown variable that begins with `LINEJUDGE_` causes a warning.
        """

    package static let all: [(name: String, meaning: String)] = [
        (
            "LINEJUDGE_VAR_name",
            "Value of the `name` variable in scenarios and behaviours, like `--var name=VALUE`."
        ),
        (
            "LINEJUDGE_SECRET_name",
            "Like `LINEJUDGE_VAR_name`, but the value is masked in all output."
        ),
        (
            "NO_COLOR, FORCE_COLOR",
            "Disable or enable colour if `--color` is `auto`; `NO_COLOR` takes precedence."
        ),
        ("COLUMNS", "Width of help output, in columns."),
        (
            "XDG_STATE_HOME",
            "Base folder for the list that `--last-failed` reads (default: `~/.local/state`)."
        ),
    ]
}
