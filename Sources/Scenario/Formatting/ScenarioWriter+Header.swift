import Diagnostics
import LineProtocol

extension ScenarioWriter {
    /// Prints the lines of a header.
    mutating func header(_ header: Header) -> Header {
        var copy = header
        copy.title = header.title.map { title in line("title") { $0.name(title) } }
        copy.dialect = header.dialect.map { dialect in line("dialect") { $0.name(dialect) } }
        copy.includes = header.includes.map { file in line("include") { $0.quoted(file) } }
        copy.operators = header.operators.map { names in line("operators") { $0.names(names) } }
        if !header.tags.isEmpty { copy.tags = line("tags") { $0.names(header.tags) } }
        copy.citations = header.citations.map { rule in line("cite") { $0.citation(rule) } }
        copy.stepTimeout = header.stepTimeout.map { timeout("step", $0) }
        copy.fileTimeout = header.fileTimeout.map { timeout("file", $0) }
        copy.settings = header.settings.map { setting in line("set") { $0.setting(setting) } }
        copy.secrets = header.secrets.map { secret in line("secret") { $0.name(secret) } }
        copy.data = header.data.map { file in line("data") { $0.quoted(file) } }
        copy.knownFailures = header.knownFailures.map { rule in
            line("known failure on") { $0.rule(rule) }
        }
        copy.skips = header.skips.map { rule in line("skip on") { $0.rule(rule) } }
        copy.needs = header.needs.map { need in line("needs") { $0.need(need) } }
        copy.command = header.command.map { command in line("exec") { $0.string(command) } }
        return copy
    }

    /// Prints a line. The text after short keywords starts in the same column.
    private mutating func line<Result>(
        _ keyword: String, _ print: (inout Self) -> Result
    ) -> Result {
        let width = "operators ".utf8.count
        let padding = max(1, width - keyword.utf8.count)
        write(keyword + String(repeating: " ", count: padding))
        defer { write("\n") }
        return print(&self)
    }

    private mutating func quoted(_ name: Name) -> Name {
        Name(name.text, range: written(ScenarioSpelling.string(Array(name.text.utf8))))
    }

    private mutating func timeout(_ scope: String, _ time: DurationLiteral) -> DurationLiteral {
        line("timeout") { writer in
            writer.write("\(scope) ")
            return writer.duration(time)
        }
    }

    private mutating func setting(_ setting: HeaderSetting) -> HeaderSetting {
        let name = name(setting.name)
        write(" = ")
        return HeaderSetting(name: name, value: value(setting.value))
    }

    private mutating func citation(_ citation: Citation) -> Citation {
        var copy = citation
        let start = end
        write(citation.document)
        if let section = citation.section { write(" §\(section)") }
        if let level = citation.statedLevel { write(" \(level.rawValue)") }
        if let quote = citation.quote { write(" " + ScenarioSpelling.string(Array(quote.utf8))) }
        copy.range = range(from: start)
        return copy
    }

    private mutating func rule(_ rule: SoftwareRule) -> SoftwareRule {
        var copy = rule
        let start = end
        copy.software = name(rule.software)
        if let versions = rule.versions {
            write(" \(versions.comparison.rawValue)\(versions.version)")
        }
        if let until = rule.until { write(" until \(until)") }
        write(" " + ScenarioSpelling.string(Array(rule.reason.utf8)))
        copy.range = range(from: start)
        return copy
    }

    private mutating func need(_ need: Need) -> Need {
        let kind = name(need.kind)
        write(" ")
        return Need(kind: kind, name: name(need.name))
    }
}
