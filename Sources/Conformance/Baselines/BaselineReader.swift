package import Diagnostics
import DialectFiles
package import Results

/// A reader for baseline files.
package enum BaselineReader {
    private static let keys = ["format", "dialect", "server", "seed", "tool", "checks"]
    private static let writeAgainHelp =
        "record it again with `linejudge check --write-baseline FILE`"

    /// Parses a baseline file.
    ///
    /// - Throws: ``Diagnosed`` with all errors found in the file.
    package static func baseline(_ source: SourceText) throws(Diagnosed) -> CheckBaseline {
        let root = try YamlReader.read(source, as: .baseline)
        let problems = Problems(source, .baseline)
        guard let root, let top = Section(root, keys: keys, problems) else {
            if !problems.hasErrors {
                problems.error(
                    "baseline.empty", "the baseline file is empty",
                    at: SourceRange(start: 0, end: 0),
                    help: writeAgainHelp)
            }
            throw Diagnosed(problems.list.sorted)
        }
        let baseline = read(top, problems)
        guard let baseline, !problems.hasErrors else { throw Diagnosed(problems.list.sorted) }
        return baseline
    }

    /// Returns whether the bytes look like a baseline file (YAML) rather than a results file
    /// (JSON).
    package static func looksLikeOne(_ bytes: some Collection<UInt8>) -> Bool {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first.map { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") } ?? false
    }

    private static func read(_ top: Section, _ problems: Problems) -> CheckBaseline? {
        // Report an unsupported format first, because it causes any other errors.
        guard
            let format = top.required(
                "format", "start the file with `format: \(CheckBaseline.format)`")
        else { return nil }
        guard let name = format.text(bytesMax: 100) else { return nil }
        guard [CheckBaseline.format, CheckBaseline.earlierFormat].contains(name) else {
            problems.error(
                "baseline.format",
                "unsupported format `\(name)`; this version reads `\(CheckBaseline.format)`",
                at: format.value.range, help: writeAgainHelp)
            return nil
        }
        let dialect = top.required("dialect", "add the dialect, such as `dialect: irc`")?
            .text()
        let server = top["server"]?.text(bytesMax: 1_000) ?? ""
        let seed = top["seed"]?.number(in: 0...Int.max) ?? 0
        let tool = top["tool"]?.text(bytesMax: 100) ?? ""
        guard
            let checks = top.required(
                "checks", "add a line for each check, such as `  frame.nul: cut`"),
            let entries = entries(checks, problems), let dialect
        else { return nil }
        return CheckBaseline(
            dialect: dialect, server: server, seed: UInt64(seed),
            toolVersion: tool.hasPrefix("linejudge ") ? String(tool.dropFirst(10)) : tool,
            entries: entries)
    }

    private static func entries(_ checks: Setting, _ problems: Problems) -> [CheckBaseline.Entry]? {
        guard let section = checks.openSection() else { return nil }
        guard section.settings.count <= CheckBaseline.checksMax else {
            problems.error(
                "baseline.too-many",
                "`checks` has \(section.settings.count) lines; the maximum is "
                    + "\(CheckBaseline.checksMax)", at: checks.key)
            return nil
        }
        return section.settings.compactMap { setting in
            guard isName(setting.name) else {
                problems.error(
                    "baseline.bad-name",
                    "`\(shortened(setting.name))` is not a check name", at: setting.key,
                    help: "write RULE or RULE:PARAMETER, such as `frame.nul` or `arity.few:JOIN`")
                return nil
            }
            return setting.text(bytesMax: 1_000).map { text in
                CheckBaseline.Entry(CheckID(parsing: setting.name), CheckClass(text))
            }
        }
    }

    /// Returns whether the part of a string before any `:` is a valid rule name: a lower-case
    /// letter, followed by lower-case letters, digits, dots and hyphens.
    private static func isName(_ text: String) -> Bool {
        let name = text.prefix { $0 != ":" }
        return name.first?.isLetter == true
            && name.allSatisfy {
                $0.isASCII && ($0.isLowercase || $0.isNumber || ".-".contains($0))
            }
    }
}
