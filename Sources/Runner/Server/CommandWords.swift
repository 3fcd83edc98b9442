import Diagnostics

/// The words of a command, split as in a shell. No shell is started, so the new process is the
/// server itself and receives signals directly.
///
/// Words are separated by spaces. Everything within `'…'` is literal. Within `"…"`, only `\"` and
/// `\\` are escapes. Outside quotes, a backslash makes the next character literal. Leading words of
/// the form `NAME=value` set environment variables. Syntax that only a shell can interpret (`|`,
/// `>`, `$HOME`, …) is an error that suggests using a shell.
struct CommandWords: Equatable {
    /// Environment variables to set, in order.
    var environment: [(name: String, value: String)] = []
    /// The program and its arguments.
    var words: [String] = []

    static func == (left: CommandWords, right: CommandWords) -> Bool {
        left.words == right.words && left.environment.elementsEqual(right.environment, by: ==)
    }

    private static let shellOnly = Set("|&;<>()$`*?~")
    private static let shellOnlyInQuotes = Set("$`")

    init(_ text: String, source: SourceText) throws(Diagnosed) {
        var splitter = Splitter(text: Array(text), source: source)
        var words = try splitter.words()
        while let first = words.first, let (name, value) = Self.assignment(first) {
            environment.append((name, value))
            words.removeFirst()
        }
        guard !words.isEmpty else {
            throw splitter.error("the command is empty", help: nil)
        }
        self.words = words
    }

    private static func assignment(_ word: String) -> (String, String)? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        let name = word[..<equals]
        guard name.first?.isNumber == false,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { return nil }
        return (String(name), String(word[word.index(after: equals)...]))
    }

    private struct Splitter {
        let text: [Character]
        let source: SourceText
        var index = 0
        var found: [String] = []
        var word: String?

        mutating func words() throws(Diagnosed) -> [String] {
            while index < text.count {
                let character = text[index]
                index += 1
                switch character {
                case " ", "\t", "\n", "\r\n": endWord()
                case "'": try quoted(until: "'")
                case "\"": try quoted(until: "\"")
                case "\\": try escaped()
                default:
                    if CommandWords.shellOnly.contains(character) { throw needsShell(character) }
                    word = (word ?? "") + String(character)
                }
            }
            endWord()
            return found
        }

        private mutating func endWord() {
            if let word { found.append(word) }
            word = nil
        }

        private mutating func escaped() throws(Diagnosed) {
            guard index < text.count else {
                throw error("the command ends with `\\`", help: nil)
            }
            word = (word ?? "") + String(text[index])
            index += 1
        }

        private mutating func quoted(until quote: Character) throws(Diagnosed) {
            word = word ?? ""
            let opening = index - 1
            while index < text.count {
                let character = text[index]
                index += 1
                if character == quote { return }
                if quote == "\"" {
                    if CommandWords.shellOnlyInQuotes.contains(character) {
                        throw needsShell(character)
                    }
                    if character == "\\", index < text.count, "\"\\".contains(text[index]) {
                        word?.append(text[index])
                        index += 1
                        continue
                    }
                }
                word?.append(character)
            }
            throw error(
                "unclosed quote \(quote)",
                help: "to write a literal quote, use \\\(quote)",
                from: opening)
        }

        private func needsShell(_ character: Character) -> Diagnosed {
            error(
                "`\(character)` needs a shell, but the command runs without one",
                help: "use sh -c '…', or quote it with '…'")
        }

        /// Returns an error located at the text starting at index `start`.
        func error(_ message: String, help: String?, from start: Int = 0) -> Diagnosed {
            let before = String(text.prefix(start)).utf8.count
            let range = SourceRange(start: min(before, source.bytes.count), end: source.bytes.count)
            let diagnostic = Diagnostic(
                .error, .badCommand, message,
                at: DiagnosticLocation(source: source, range: range))
            return Diagnosed(help.map(diagnostic.help) ?? diagnostic)
        }
    }
}
