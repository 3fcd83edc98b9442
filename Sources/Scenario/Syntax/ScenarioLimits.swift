/// Limits of the scenario language.
package enum ScenarioLimits {
    /// Maximum size of a file, in bytes.
    package static let fileBytesMax = 1 << 20
    /// Maximum length of a line, in bytes.
    package static let lineBytesMax = 16 << 10
    /// Number of errors after which the parser stops.
    package static let errorsMax = 20
    /// Number of warnings after which the linter stops.
    package static let warningsMax = 100
    /// Maximum number of fragments in a file.
    package static let fragmentsMax = 1_000
    /// Maximum number of operators in scenarios that the linter checks for mistyped names.
    package static let comparedOperatorsMax = 500
    /// Maximum nesting depth of blocks.
    package static let blockDepthMax = 16
    /// Maximum nesting depth of lists in a value.
    package static let listDepthMax = 16
    /// Maximum number of rounds of `repeat`.
    package static let repeatCountMax = 1_000_000
    /// Maximum number of bytes produced by `{{"x" * N}}`.
    package static let repeatedBytesMax = 16 << 20
    /// Maximum length of a regular expression, in bytes.
    package static let regexBytesMax = 1 << 10
    /// Maximum duration: one day.
    package static let durationNanosecondsMax: Int64 = 86_400_000_000_000
}
