import Diagnostics

/// What ArgumentParser says about a wrong command line, in the form of every other message of ours.
struct UsageMessage {
    /// What is wrong, and what to do.
    let diagnostic: Diagnostic
    /// The option whose value is wrong: `--retry`.
    private(set) var option: String?

    init(_ text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let first = lines.first ?? text
        let said = first.hasPrefix("Error: ") ? String(first.dropFirst(7)) : first
        let (message, help, option) = Self.reading(said, lines)
        var diagnostic = Diagnostic(.error, .badOption, message)
        if let help { diagnostic = diagnostic.help(help) }
        if help == nil, let usage = Self.rest(of: lines, after: "Usage: ") {
            diagnostic = diagnostic.note("usage: \(usage)")
        }
        if let more = text.firstMatch(of: /See '(.*?)' for more/) {
            diagnostic = diagnostic.note("more: \(more.1)")
        }
        self.diagnostic = diagnostic
        self.option = option
    }

    private static func rest(of lines: [String], after head: String) -> String? {
        lines.first { $0.hasPrefix(head) }.map { String($0.dropFirst(head.count)) }
    }

    /// What is said about an option itself: `Help:  --retry <count>  Try a failure again so often.`
    private static func optionHelp(_ lines: [String]) -> String? {
        let line = rest(of: lines, after: "Help:  ")
        return line?.firstMatch(of: /^.*?  (.*)$/).map { String($0.1) }
    }

    private static func reading(
        _ said: String, _ lines: [String]
    ) -> (message: String, help: String?, option: String?) {
        if let found = said.wholeMatch(of: /The value '(.*)' is invalid for '(-\S+).*?'(.*)/) {
            let option = String(found.2)
            return ("`\(found.1)` is no value for \(option)", explained(String(found.3)), option)
        }
        if let found = said.wholeMatch(of: /Missing value for '(-\S+) (<.*>)'/) {
            let help = optionHelp(lines)
            return ("\(found.1) lacks its value, \(found.2)", help, String(found.1))
        }
        if let found = said.wholeMatch(of: /Missing expected argument '<(.*?)>.*'/) {
            return ("\(found.1.uppercased()) is missing", optionHelp(lines), nil)
        }
        if let found = said.wholeMatch(of: /Unknown option '(.*?)'.*/) {
            return ("there is no option \(found.1)", meant(said), nil)
        }
        if let found = said.wholeMatch(of: /Unexpected argument '(.*)'/) {
            return ("`\(found.1)` is one word too many", nil, nil)
        }
        return (said, nil, nil)
    }

    /// `: expected …`, or `. Please provide one of 'a', 'b' or 'c'.`
    private static func explained(_ tail: String) -> String? {
        if tail.hasPrefix(": ") { return String(tail.dropFirst(2)) }
        let words = tail.matches(of: /'(.*?)'/).map { String($0.1) }
        return words.isEmpty ? nil : "there are: \(words.joined(separator: ", "))"
    }

    private static func meant(_ said: String) -> String? {
        said.firstMatch(of: /Did you mean '(.*?)'/).map { "did you mean \($0.1)?" }
    }
}
