/// The named maxima of the scenario language.
package enum ScenarioLimits {
    /// Bytes in a file.
    package static let fileBytesMax = 1 << 20
    /// Bytes in a line.
    package static let lineBytesMax = 16 << 10
    /// Errors that are reported before the parser stops.
    package static let errorsMax = 20
    /// Warnings that the linter gives before it stops.
    package static let warningsMax = 100
    /// Fragments in a file.
    package static let fragmentsMax = 1_000
    /// Operators among which the linter looks for a mistyped name.
    package static let comparedOperatorsMax = 500
    /// Blocks inside each other.
    package static let blockDepthMax = 16
    /// Lists inside each other in a value.
    package static let listDepthMax = 16
    /// Rounds of `repeat`.
    package static let repeatCountMax = 1_000_000
    /// Bytes that `{{"x" * N}}` may stand for.
    package static let repeatedBytesMax = 16 << 20
    /// Bytes of a regular expression.
    package static let regexBytesMax = 1 << 10
    /// Groups inside each other in a regular expression.
    package static let regexDepthMax = 32
    /// The longest duration: a day.
    package static let durationNanosecondsMax: Int64 = 86_400_000_000_000
}
