/// Compiled regular expressions of a session. They are not `Sendable`, so a program cannot hold
/// them.
package struct RegexCache {
    private var compiled: [String: Regex<AnyRegexOutput>] = [:]

    /// Creates an empty cache.
    package init() {}

    /// Returns true if all of `bytes` match. The expression must be valid.
    package mutating func matches(_ expression: String, _ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        if let regex = compiled[expression] { return text.wholeMatch(of: regex) != nil }
        guard let regex = try? Regex(expression) else { return false }
        compiled[expression] = regex
        return text.wholeMatch(of: regex) != nil
    }
}
