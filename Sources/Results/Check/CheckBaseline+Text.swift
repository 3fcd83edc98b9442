import Diagnostics

extension CheckBaseline {
    /// The baseline as a YAML file, with one line per check in a stable order, so that ordinary
    /// diff tools can compare two files.
    package var text: String {
        var lines = [
            "# Server behaviour, recorded by `linejudge check --write-baseline`. Compare a server with it",
            "# using `linejudge check --baseline`, or compare two such files with `linejudge compare`.",
            "format: \(Self.format)", "dialect: \(Self.scalar(dialect))",
            "server: \(Self.scalar(server))", "seed: \(seed)",
            "tool: \(Self.scalar("linejudge \(toolVersion)"))", "checks:",
        ]
        for entry in entries {
            let note = entry.open.map { "  # \($0) is unspecified" } ?? ""
            lines.append(
                "  \(Self.scalar("\(entry.id)")): \(Self.scalar("\(entry.measured)"))\(note)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns `text` as a YAML scalar: plain if it contains no YAML syntax, otherwise quoted.
    private static func scalar(_ text: String) -> String {
        let shown = escapedForDisplay(text)
        let isPlain =
            shown == text && text.first?.isLetter == true && text.last != " "
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
                .contains(text.lowercased())
            && text.allSatisfy { letter in
                letter.isASCII
                    && (letter.isLetter || letter.isNumber || " .:_+-()/,;|@".contains(letter))
            } && !text.contains(": ") && !text.hasSuffix(":")
        if isPlain { return text }
        return "'" + shown.replacing("'", with: "''") + "'"
    }
}
