import Console
import Diagnostics
package import Results

/// Variables set from outside a scenario. `--var name=value` takes precedence over `--vars FILE`,
/// and a later file takes precedence over an earlier one. Both options take precedence over the
/// environment variables `LINEJUDGE_VAR_name` and `LINEJUDGE_SECRET_name`. Values from
/// `LINEJUDGE_SECRET_name` are masked in all output.
package struct RunVariables: Sendable, Hashable {
    package var values: [String: [UInt8]] = [:]
    /// Names of variables with masked values.
    package var secrets: Set<String> = []

    /// Prefix of environment variables that set scenario variables.
    private static let variablePrefix = "LINEJUDGE_VAR_"
    /// Prefix of environment variables that set secret scenario variables.
    package static let secretPrefix = "LINEJUDGE_SECRET_"

    /// Creates an empty set of variables.
    package init() {}

    /// Reads the environment, the files given with `--vars` and the `--var` options.
    ///
    /// - Throws: An error if a file does not exist, or if a file or an option is malformed.
    package init(
        environment: [String: String], given: GivenVariables = GivenVariables()
    ) throws(CommandFailure) {
        take(environment)
        for path in given.files {
            let file = try VariablesFile(path)
            values.merge(file.values) { _, later in later }
            secrets.formUnion(file.secrets)
        }
        Redaction.hide(secrets.compactMap { values[$0] })
        for option in given.options {
            try CommandFailure.usage { () throws(Diagnosed) in try take(option) }
        }
    }

    /// Returns the values of secret variables set in the environment.
    package static func secrets(of environment: [String: String]) -> [String: [UInt8]] {
        var variables = RunVariables()
        variables.take(environment)
        return variables.values.filter { variables.secrets.contains($0.key) }
    }

    /// Adds the variables set in the environment. If both prefixes are used for a name, the secret
    /// takes precedence.
    private mutating func take(_ environment: [String: String]) {
        for (key, value) in environment {
            guard let (name, isSecret) = Self.variable(inEnvironment: key) else { continue }
            if isSecret { secrets.insert(name) }
            if isSecret || !secrets.contains(name) { values[name] = Array(value.utf8) }
        }
    }

    /// Returns the variable that an environment variable sets, and whether its value is secret; nil
    /// if it sets none.
    static func variable(inEnvironment key: String) -> (name: String, isSecret: Bool)? {
        guard let prefix = [variablePrefix, secretPrefix].first(where: key.hasPrefix) else {
            return nil
        }
        return (String(key.dropFirst(prefix.count)), prefix == secretPrefix)
    }

    private mutating func take(_ option: String) throws(Diagnosed) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard parts.count == 2, Self.isName(name) else {
            // What follows the name may be a secret.
            let word = String(decoding: name.utf8.prefix(while: Self.isNameByte), as: UTF8.self)
            let shown = parts.count == 2 ? "\(name)=***" : word == name ? name : "\(word)***"
            let source = SourceText(path: "--var", text: shown)
            let range = SourceRange(start: 0, end: min(name.utf8.count, shown.utf8.count))
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable,
                    parts.count == 2 ? "invalid variable name" : "missing value",
                    at: DiagnosticLocation(source: source, range: range)
                ).help("set a variable with --var name=value"))
        }
        values[name] = Array(parts[1].utf8)
    }

    /// Returns true if the text is a valid variable name.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return isLetter(first) && text.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte
            || byte == UInt8(ascii: "-")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20
    }
}

/// Variables given on the command line.
package struct GivenVariables: Sendable, Hashable {
    /// Assignments of the form `name=value`.
    package var options: [String]
    /// Paths of variables files. Later files take precedence.
    package var files: [String]

    package init(options: [String] = [], files: [String] = []) {
        self.options = options
        self.files = files
    }
}
