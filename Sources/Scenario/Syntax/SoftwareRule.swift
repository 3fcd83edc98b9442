package import Diagnostics
package import LineProtocol

/// A `known failure on SOFTWARE [RANGE] [until DATE] "REASON"` line, or a `skip on …` line, which
/// has no date.
package struct SoftwareRule: Sendable, Equatable {
    package var software: Name
    /// The affected versions; nil for all versions.
    package var versions: VersionRange?
    /// The last day the failure is excused; nil for no limit.
    package var until: CalendarDate?
    /// Explanation shown in reports.
    package var reason: String
    @NotCompared package var range: SourceRange

    /// Returns true if the rule applies to this software and version. An unknown version (nil) is
    /// not in any range.
    package func applies(to name: String, version: String?) -> Bool {
        guard software.text.lowercased() == name.lowercased() else { return false }
        guard let versions else { return true }
        return version.map(versions.contains) ?? false
    }
}

/// The server versions that a rule applies to: `<26`, `<=26.1`, `>3`, `>=3` or `=8.2.43`.
package struct VersionRange: Sendable, Equatable {
    /// The comparison operator of a range.
    package enum Comparison: String, Sendable, CaseIterable {
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case equal = "="
    }

    package var comparison: Comparison
    /// The version to compare with.
    package var version: String

    package init(_ comparison: Comparison, _ version: String) {
        self.comparison = comparison
        self.version = version
    }

    /// Parses a range such as `<26` or `>=3`; nil if the text is not a range.
    package init?(_ text: some StringProtocol) {
        // Try the longest comparison signs first, because `<=` starts with `<`.
        let signs = Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        guard let sign = signs.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        let version = String(text.dropFirst(sign.rawValue.count))
        guard !version.isEmpty else { return nil }
        self.init(sign, version)
    }

    /// Returns true if the version is in the range. Versions are compared number by number, with
    /// missing numbers counted as 0. Parts that contain letters are compared alphabetically.
    package func contains(_ other: String) -> Bool {
        let order = Self.order(other, version)
        return switch comparison {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .equal: order == 0
        }
    }

    private static func order(_ left: String, _ right: String) -> Int {
        let lefts = parts(left)
        let rights = parts(right)
        for index in 0..<max(lefts.count, rights.count) {
            let a = index < lefts.count ? lefts[index] : "0"
            let b = index < rights.count ? rights[index] : "0"
            if a == b { continue }
            if let x = Int(a), let y = Int(b) {
                if x != y { return x < y ? -1 : 1 }
            } else {
                return a < b ? -1 : 1
            }
        }
        return 0
    }

    private static func parts(_ version: String) -> [Substring] {
        version.split { $0 == "." || $0 == "-" || $0 == "_" || $0 == "+" }
    }
}
