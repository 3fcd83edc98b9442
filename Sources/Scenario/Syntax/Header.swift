/// The part of a scenario before its first step. Properties of lines that are missing are nil or
/// empty.
package struct Header: Sendable, Equatable {
    /// `title TEXT`.
    package var title: Name?
    /// `dialect NAME`: a built-in name, or a path ending in `.yaml`.
    package var dialect: Name?
    /// `include "FILE"` lines, for files with fragments.
    package var includes: [Name] = []
    /// `operators NAME, …`; nil if the line is missing.
    package var operators: [Name]?
    /// `tags WORD, …`.
    package var tags: [Name] = []
    /// `cite …` lines before the first step.
    package var citations: [Citation] = []
    /// `timeout step DURATION`.
    package var stepTimeout: DurationLiteral?
    /// `timeout file DURATION`.
    package var fileTimeout: DurationLiteral?
    /// `set NAME = VALUE` lines.
    package var settings: [HeaderSetting] = []
    /// `secret NAME` and `secret env.NAME` lines.
    package var secrets: [Name] = []
    /// `data "FILE"`: a table. The scenario runs once for each row.
    package var data: Name?
    /// `known failure on …` lines.
    package var knownFailures: [SoftwareRule] = []
    /// `skip on …` lines.
    package var skips: [SoftwareRule] = []
    /// `needs …` lines, one element per name.
    package var needs: [Need] = []
    /// `exec "COMMAND"`.
    package var command: Template?

    package init() {}
}

/// A `set NAME = VALUE` line, which gives a variable its default value.
package struct HeaderSetting: Sendable, Equatable {
    package var name: Name
    /// The default value: a string, a number, `true` or `false`. The command line can override it.
    package var value: Value

    package init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }
}
