package import Diagnostics
import Results

/// A usage error from argument-parser, as a diagnostic.
package struct UsageMessage {
    package let diagnostic: Diagnostic
    /// The option whose value is invalid, such as `--retry`; nil if the error has another cause.
    package private(set) var option: String?

    package init(_ text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let first = lines.first ?? text
        let error = first.hasPrefix("Error: ") ? String(first.dropFirst(7)) : first
        let (message, help, option) = Self.parts(of: error, lines)
        var diagnostic = Diagnostic(.error, .badOption, message)
        if let help { diagnostic = diagnostic.help(help) }
        if help == nil, let usage = Self.rest(of: lines, after: "Usage: ") {
            diagnostic = diagnostic.note("usage: \(usage)")
        }
        if let more = text.firstMatch(of: /See '(.*?)' for more/) {
            diagnostic = diagnostic.note("for more information, run: \(more.1)")
        }
        self.diagnostic = diagnostic
        self.option = option
    }

    private static func rest(of lines: [String], after head: String) -> String? {
        lines.first { $0.hasPrefix(head) }.map { String($0.dropFirst(head.count)) }
    }

    /// Returns an option's help from a line such as `Help:  --retry <count>  Retry failed
    /// scenarios.`; nil if there is no such line.
    private static func optionHelp(_ lines: [String]) -> String? {
        let line = rest(of: lines, after: "Help:  ")
        return line?.firstMatch(of: /^.*?  (.*)$/).map { String($0.1) }
    }

    private static func parts(
        of error: String, _ lines: [String]
    ) -> (message: String, help: String?, option: String?) {
        if let match = error.wholeMatch(of: /The value '(.*)' is invalid for '(-\S+).*?'(.*)/) {
            let option = String(match.2)
            return (
                "invalid value `\(match.1)` for \(option)",
                expectation(String(match.3)) ?? listedValues(lines) ?? optionHelp(lines), option
            )
        }
        if let match = error.wholeMatch(of: /Missing value for '(-\S+) (<.*>)'/) {
            let help = optionHelp(lines)
            return ("\(match.1) requires a value: \(match.2)", help, String(match.1))
        }
        if let match = error.wholeMatch(of: /Missing expected argument '<(.*?)>.*'/) {
            return ("missing argument \(match.1.uppercased())", optionHelp(lines), nil)
        }
        if let match = error.wholeMatch(of: /Unknown option '(.*?)'.*/) {
            let option = String(match.1)
            let command = command(lines) ?? ""
            let help =
                ForeignOptions.suggestion(for: option, of: command).map { "use \($0)" }
                ?? suggestion(error)
                ?? ForeignOptions.suggestion(forMisspelled: option, of: command).map {
                    "did you mean \($0)?"
                }
            return ("unknown option \(option)", help, nil)
        }
        if let match = error.wholeMatch(of: /Unexpected argument '(.*)'/) {
            return ("unexpected argument `\(match.1)`", nil, nil)
        }
        return (error, nil, nil)
    }

    /// Returns the command from a line such as `See 'linejudge load --help' for more information.`;
    /// nil if there is no such line.
    private static func command(_ lines: [String]) -> String? {
        lines.lazy.compactMap { $0.firstMatch(of: /See 'linejudge (\w+).* --help'/) }
            .first.map { String($0.1) }
    }

    /// Returns the expected value from the end of a message, such as `: expected …` or `. Please
    /// provide one of 'a', 'b' or 'c'.`; nil if the message names none.
    private static func expectation(_ tail: String) -> String? {
        if tail.hasPrefix(": ") { return String(tail.dropFirst(2)) }
        let words = tail.matches(of: /'(.*?)'/).map { String($0.1) }
        return words.isEmpty ? nil : "values: \(words.joined(separator: ", "))"
    }

    /// Returns the values from lines such as `  - json`, in which many values are listed; nil if
    /// there are none.
    private static func listedValues(_ lines: [String]) -> String? {
        let values = lines.filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
        return values.isEmpty ? nil : "values: \(values.joined(separator: ", "))"
    }

    private static func suggestion(_ error: String) -> String? {
        error.firstMatch(of: /Did you mean '(.*?)'/).map { "did you mean \($0.1)?" }
    }
}
