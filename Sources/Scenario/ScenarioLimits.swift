/// The named maxima of the scenario language.
public enum ScenarioLimits {
    /// Bytes in a file.
    public static let fileBytesMax = 1 << 20
    /// Bytes in a line.
    public static let lineBytesMax = 16 << 10
    /// Errors that are reported before the parser stops.
    public static let errorsMax = 20
    /// Warnings that the linter gives before it stops.
    public static let warningsMax = 100
    /// Fragments in a file.
    public static let fragmentsMax = 1_000
    /// Operators among which the linter looks for a mistyped name.
    public static let comparedOperatorsMax = 500
    /// Blocks inside each other.
    public static let blockDepthMax = 16
    /// Lists inside each other in a value.
    public static let listDepthMax = 16
    /// Rounds of `repeat`.
    public static let repeatCountMax = 1_000_000
    /// Bytes that `{{"x" * N}}` may stand for.
    public static let repeatedBytesMax = 16 << 20
    /// Bytes of a regular expression.
    public static let regexBytesMax = 1 << 10
    /// Groups inside each other in a regular expression.
    public static let regexDepthMax = 32
    /// The longest duration: a day.
    public static let durationNanosecondsMax: Int64 = 86_400_000_000_000
}
