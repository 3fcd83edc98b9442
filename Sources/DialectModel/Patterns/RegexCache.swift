/// Regular expressions, compiled once a session: they are not `Sendable`, so that a program cannot hold
/// them.
package struct RegexCache {
    private var compiled: [String: Regex<AnyRegexOutput>] = [:]

    /// Nothing is compiled yet.
    package init() {}

    /// Whether `bytes` as a whole match the expression. The parser has checked that it is one.
    package mutating func matches(_ expression: String, _ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        if let regex = compiled[expression] { return text.wholeMatch(of: regex) != nil }
        guard let regex = try? Regex(expression) else { return false }
        compiled[expression] = regex
        return text.wholeMatch(of: regex) != nil
    }
}
