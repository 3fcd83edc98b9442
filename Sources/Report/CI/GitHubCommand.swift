import Diagnostics

/// A formatter for GitHub Actions workflow commands. A command is one line, with its text escaped.
package enum GitHubCommand {
    /// Returns the command that starts a collapsed group of log lines.
    package static func group(_ title: String) -> String {
        line("group", message: escapedForDisplay(title))
    }

    package static var endGroup: String { line("endgroup", message: "") }

    /// Returns a command followed by a newline. Control characters in properties are escaped. The
    /// message may span several lines.
    static func line(
        _ name: String, _ properties: [(String, String)] = [], message: String
    ) -> String {
        let written = properties.map { name, value in
            "\(name)=\(escaped(escapedForDisplay(value), isProperty: true))"
        }
        let head = written.isEmpty ? "" : " " + written.joined(separator: ",")
        // The older command syntax is recognised anywhere in a line, so it must be escaped.
        return "::\(name)\(head)::\(escaped(message))\n".replacing("##[", with: "#\\u0023[")
    }

    private static func escaped(_ text: String, isProperty: Bool = false) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": out += "%25"
            case "\r": out += "%0D"
            case "\n": out += "%0A"
            case ":" where isProperty: out += "%3A"
            case "," where isProperty: out += "%2C"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
