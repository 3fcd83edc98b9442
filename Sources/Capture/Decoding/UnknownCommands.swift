import Diagnostics
import DialectFiles
import LineProtocol
import Results

/// Diagnostics about requested commands that no dialect defines.
struct UnknownCommands {
    let dialects: [DialectFile]

    private var names: [String] { dialects.flatMap { $0.dialect.commands.names } }

    func among(_ words: [String]) -> [String] {
        let known = Set(names)
        return words.filter { !known.contains($0) }
    }

    /// Returns a diagnostic about an unknown command. It suggests a similar name, if there is one.
    /// `rest` is appended to the message.
    func diagnostic(_ word: String, _ severity: Severity, _ rest: String) -> Diagnostic {
        let all = dialects.map(\.dialect.name).joined(separator: " and ")
        let subject = dialects.count == 1 ? "dialect has" : "dialects have"
        let fault = Diagnostic(
            severity, .badOption, "the \(all) \(subject) no command `\(word)`\(rest)")
        return didYouMean(word, among: names).map { fault.help("did you mean `\($0)`?") } ?? fault
    }
}
