import Glibc

/// A pattern for paths and other names. `*`, `?` and `[a-z]` match within a path component, as in
/// `fnmatch`; `**` matches across components.
package struct Glob: Sendable {
    private let segments: [Substring]

    /// Returns true if the text contains a wildcard.
    package static func isPattern(_ text: String) -> Bool {
        text.utf8.contains { "*?[".utf8.contains($0) }
    }

    package init(_ pattern: String) {
        var segments: [Substring] = []
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false)
        where segment != "**" || segments.last != "**" {
            segments.append(segment)
        }
        self.segments = segments
    }

    /// Returns true if the pattern matches the whole text.
    package func matches(_ text: String) -> Bool {
        Self.matches(
            segments[...], text.split(separator: "/", omittingEmptySubsequences: false)[...])
    }

    private static func matches(
        _ pattern: ArraySlice<Substring>, _ text: ArraySlice<Substring>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == "**" {
            return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
        }
        guard let segment = text.first else { return false }
        if unsafe fnmatch(String(first), String(segment), FNM_NOESCAPE) == 0,
            matches(rest, text.dropFirst())
        {
            return true
        }
        // `a**b` also matches everything that `a*/**/*b` matches.
        guard let stars = first.firstRange(of: "**") else { return false }
        let start = Substring(first[..<stars.lowerBound] + "*")
        let end = Substring("*" + first[stars.upperBound...])
        return matches([start, "**", end] + rest, text)
    }
}
