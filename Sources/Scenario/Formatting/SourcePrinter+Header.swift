import Diagnostics
import LineProtocol

extension SourcePrinter {
    /// Returns the lines of the header: for each, its offset in the source, its keyword, and the
    /// text after the keyword.
    func header(_ header: Header) -> [(offset: Int, keyword: String, rest: String)] {
        var lines: [(Int, String, String)] = []
        if let title = header.title { lines.append((title.range.start, "title", title.text)) }
        if let dialect = header.dialect {
            lines.append((dialect.range.start, "dialect", dialect.text))
        }
        for file in header.includes {
            lines.append((file.range.start, "include", slice(file.range)))
        }
        if let first = header.operators?.first, let operators = header.operators {
            lines.append((first.range.start, "operators", names(operators)))
        }
        if let first = header.tags.first {
            lines.append((first.range.start, "tags", names(header.tags)))
        }
        for (word, time) in [("step", header.stepTimeout), ("file", header.fileTimeout)] {
            guard let time else { continue }
            lines.append((time.range.start, "timeout", "\(word) \(slice(time.range))"))
        }
        for setting in header.settings {
            let text = "\(setting.name.text) = \(value(setting.value))"
            lines.append((setting.name.range.start, "set", text))
        }
        for secret in header.secrets { lines.append((secret.range.start, "secret", secret.text)) }
        if let data = header.data { lines.append((data.range.start, "data", slice(data.range))) }
        if let command = header.command {
            lines.append((command.range.start, "exec", template(command)))
        }
        lines += header.citations.map { ($0.range.start, "cite", citation($0)) }
        lines += header.knownFailures.map { ($0.range.start, "known failure on", rule($0)) }
        lines += needs(header.needs)
        lines += header.skips.map { ($0.range.start, "skip on", rule($0)) }
        return lines
    }

    /// Returns the `needs` lines. Needs from one line of the source stay together: they share the
    /// source position of their kind.
    private func needs(_ needs: [Need]) -> [(offset: Int, keyword: String, rest: String)] {
        var lines: [(offset: Int, keyword: String, rest: String)] = []
        for need in needs {
            let offset = need.kind.range.start
            if lines.last?.offset == offset {
                lines[lines.count - 1].rest += ", \(need.name.text)"
            } else {
                lines.append((offset, "needs", need.text))
            }
        }
        return lines
    }

    /// Returns a citation without its keyword.
    func citation(_ citation: Citation) -> String {
        var text = citation.document
        if let section = citation.section { text += " §\(section)" }
        if let level = citation.statedLevel { text += " \(level.rawValue)" }
        if let quote = citation.quote { text += " \(quoted(quote))" }
        return text
    }

    private func rule(_ rule: SoftwareRule) -> String {
        var text = rule.software.text
        if let versions = rule.versions {
            text += " \(versions.comparison.rawValue)\(versions.version)"
        }
        if let until = rule.until { text += " until \(until)" }
        return "\(text) \(quoted(rule.reason))"
    }

    private func quoted(_ text: String) -> String { ScenarioSpelling.string(Array(text.utf8)) }
}
