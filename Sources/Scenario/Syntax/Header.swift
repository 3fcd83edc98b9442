/// What stands before the first step.
public struct Header: Sendable, Equatable {
    /// `title TEXT`.
    public var title: Name?
    /// `dialect NAME`: a built-in name, or a path ending in `.yaml`.
    public var dialect: Name?
    /// `operators NAME, …`; nil where the line is missing.
    public var operators: [Name]?
    /// `tags WORD, …`.
    public var tags: [Name] = []
    /// `cite …` lines before the first step.
    public var citations: [Citation] = []
    /// `timeout step DURATION`.
    public var stepTimeout: TimeLength?
    /// `timeout file DURATION`.
    public var fileTimeout: TimeLength?
    /// `set NAME = VALUE` lines.
    public var settings: [Setting] = []
    /// `secret NAME` lines.
    public var secrets: [Name] = []
    /// `known failure on …` lines.
    public var knownFailures: [SoftwareRule] = []
    /// `skip on …` lines.
    public var skips: [SoftwareRule] = []
    /// `exec "COMMAND"`.
    public var command: Template?

    /// An empty header.
    public init() {}
}

/// `set NAME = VALUE`.
public struct Setting: Sendable, Equatable {
    /// The variable.
    public var name: Name
    /// Its value unless the command line gives another: a string, a number, `true` or `false`.
    public var value: Value

    /// A value for a variable.
    public init(name: Name, value: Value) {
        self.name = name
        self.value = value
    }
}
