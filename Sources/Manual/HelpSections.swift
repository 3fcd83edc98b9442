import Results
import Report

/// The `--help` sections after the options.
package struct HelpSections {
    private let manual: CommandManual
    private let columns: Int

    package init(manual: CommandManual, columns: Int) {
        self.manual = manual
        self.columns = columns
    }

    /// The examples and exit codes, wrapped to the terminal width.
    package var text: String {
        var text = ""
        if !manual.examples.isEmpty {
            let examples = manual.examples.map(example).joined(separator: "\n")
            text += "\nEXAMPLES:\n" + examples
        }
        if !manual.exitCodes.isEmpty {
            text += "\nEXIT CODES:\n" + manual.exitCodes.map(row).joined()
        }
        return text
    }

    private func example(_ example: CommandManual.Example) -> String {
        indented(example.purpose + ":", by: 2)
            + CommandLineText.lines(example.command, columns: columns - 4)
            .map { "    \($0)\n" }.joined()
    }

    private func row(_ code: ExitCode, _ meaning: String) -> String {
        let label = ColumnText.padded("  \(code.rawValue)", to: 7)
        return label + indented(meaning, by: 7).dropFirst(7)
    }

    private func indented(_ text: String, by indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return ColumnText.lines(text, columns: max(columns - indent, 20))
            .map { margin + $0 + "\n" }.joined()
    }
}

/// Formatter for command lines. Long lines are broken before an option, with a backslash as in a
/// shell.
package enum CommandLineText {
    package static func lines(_ command: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for part in parts(command) {
            let width = line.count + part.count + 3
            if !line.isEmpty, width > columns {
                lines.append(line + " \\")
                line = "  " + part
            } else {
                line += line.isEmpty ? part : " " + part
            }
        }
        return lines + [line]
    }

    /// Splits a command into words as a shell would, up to the first redirection. Only single
    /// quotes are supported.
    package static func words(of command: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for letter in command {
            switch letter {
            case "'": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            case ">", "<":
                guard isQuoted else { return words.filter { !$0.isEmpty } }
                words[words.count - 1].append(letter)
            default: words[words.count - 1].append(letter)
            }
        }
        return words.filter { !$0.isEmpty }
    }

    /// Returns the unbreakable parts of a command line: the command, and each option with its
    /// value.
    private static func parts(_ command: String) -> [String] {
        var isQuoted = false
        return command.split(separator: " ").reduce(into: []) { parts, word in
            let startsPart = word.hasPrefix("-") || word == "|" || word == ">"
            if parts.isEmpty || startsPart && !isQuoted {
                parts.append(String(word))
            } else {
                parts[parts.count - 1] += " " + word
            }
            if !word.count(where: { $0 == "'" }).isMultiple(of: 2) { isQuoted.toggle() }
        }
    }
}
