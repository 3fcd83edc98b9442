package import Diagnostics

/// `known failure on SOFTWARE [RANGE] [until DATE] "REASON"`, and `skip on …` without the date.
package struct SoftwareRule: Sendable, Equatable {
    /// The software's name.
    package var software: Name
    /// Which versions; nil for all.
    package var versions: VersionRange?
    /// The last day on which the failure is excused.
    package var until: CalendarDate?
    /// Why, for people.
    package var reason: String
    /// The line.
    @NotCompared package var range: SourceRange

    /// A rule from its parts.
    package init(
        software: Name, versions: VersionRange?, until: CalendarDate?, reason: String,
        range: SourceRange
    ) {
        self.software = software
        self.versions = versions
        self.until = until
        self.reason = reason
        self.range = range
    }

    /// Whether it speaks of that software; with a range of versions, an unknown version is not in it.
    package func applies(to name: String, version: String?) -> Bool {
        guard software.text.lowercased() == name.lowercased() else { return false }
        guard let versions else { return true }
        return version.map(versions.contains) ?? false
    }
}

/// `<26`, `<=26.1`, `>3`, `>=3`, `=8.2.43`.
package struct VersionRange: Sendable, Equatable {
    /// How the version is compared.
    package enum Comparison: String, Sendable, CaseIterable {
        /// Before.
        case less = "<"
        /// Before, or the same.
        case lessOrEqual = "<="
        /// After.
        case greater = ">"
        /// After, or the same.
        case greaterOrEqual = ">="
        /// The same.
        case equal = "="
    }

    /// How the version is compared.
    package var comparison: Comparison
    /// With what.
    package var version: String

    /// A range from its parts.
    package init(_ comparison: Comparison, _ version: String) {
        self.comparison = comparison
        self.version = version
    }

    /// A range as it is written: `<26`, `>=3`; nil if it is none.
    package init?(_ text: some StringProtocol) {
        // The longer signs first: `<=` is no `<`.
        let signs = Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        guard let sign = signs.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        let version = String(text.dropFirst(sign.rawValue.count))
        guard !version.isEmpty else { return nil }
        self.init(sign, version)
    }

    /// Whether a version is in the range. Versions are compared number by number; what is missing
    /// counts as 0, and letters are compared as letters.
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

/// A day, without a time zone.
package struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year, four digits.
    package var year: Int
    /// The month, from 1.
    package var month: Int
    /// The day, from 1.
    package var day: Int

    /// A day that exists, else nil.
    package init?(year: Int, month: Int, day: Int) {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...days[month - 1]).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Whether the first day is before the second.
    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `2026-01-31`.
    package var description: String {
        [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }.joined(separator: "-")
    }
}
