import Diagnostics

extension CheckBaseline {
    /// The lock as the text of a file: one line a check, in an order that stays, so that two files can be
    /// compared by any tool that compares lines. It is YAML.
    package var text: String {
        var lines = [
            "# What a server does with each stimulus. `linejudge check --characterise` wrote this file,",
            "# `linejudge check --lock` holds a server against it, `linejudge compare` two such files.",
            "format: \(Self.format)", "dialect: \(Self.scalar(dialect))",
            "server: \(Self.scalar(server))", "seed: \(seed)",
            "tool: \(Self.scalar("linejudge \(toolVersion)"))", "checks:",
        ]
        for entry in entries {
            let remark = entry.open.map { "  # \($0) is left open" } ?? ""
            lines.append(
                "  \(Self.scalar("\(entry.id)")): \(Self.scalar("\(entry.measured)"))\(remark)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text as YAML takes it for itself: plain where nothing in it means anything, else in quotes.
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
