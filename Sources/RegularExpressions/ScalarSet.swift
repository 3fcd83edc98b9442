/// A set of Unicode scalars: `[a-z]`, `\w`, `.` or a single letter.
struct ScalarSet: Sendable, Equatable {
    /// A member of a set: a range of scalars, or all scalars with or without a property.
    enum Item: Sendable, Equatable {
        case range(UInt32, UInt32)
        case property(ScalarProperty)
        /// All scalars without the property, such as `\W` in `[\W_]`.
        case excluding(ScalarProperty)
    }

    private let items: [Item]
    private let isNegated: Bool
    let ignoresCase: Bool
    /// Bit masks of the scalars below 64, and from 64 to 127, that are in the set.
    let low: UInt64
    let high: UInt64

    init(_ items: [Item], isNegated: Bool = false, ignoresCase: Bool = false) {
        self.items = items
        self.isNegated = isNegated
        self.ignoresCase = ignoresCase
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for value in UInt8(0)..<128 {
            let scalar = Unicode.Scalar(value)
            let others = ignoresCase ? Self.otherCases(of: scalar) : []
            let isIn =
                Self.has(items, scalar) || others.contains { Self.has(items, $0) }
            guard isIn != isNegated else { continue }
            if value < 64 { bits.low |= 1 << value } else { bits.high |= 1 << (value - 64) }
        }
        (low, high) = bits
    }

    /// Returns the set of all scalars, without the line feed unless `dotMatchesLineFeed` is true.
    static func any(dotMatchesLineFeed: Bool) -> ScalarSet {
        ScalarSet(dotMatchesLineFeed ? [] : [.range(10, 10)], isNegated: true)
    }

    /// Returns true if the set contains `scalar`. If the set ignores case, `otherCases` must
    /// contain the scalar's variants in other cases.
    func contains(_ scalar: Unicode.Scalar, _ otherCases: [Unicode.Scalar]) -> Bool {
        (Self.has(items, scalar) || otherCases.contains { Self.has(items, $0) }) != isNegated
    }

    private static func has(_ items: [Item], _ scalar: Unicode.Scalar) -> Bool {
        items.contains { item in
            switch item {
            case .range(let lower, let upper): lower <= scalar.value && scalar.value <= upper
            case .property(let property): property.holds(for: scalar)
            case .excluding(let property): !property.holds(for: scalar)
            }
        }
    }

    static func otherCases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let properties = scalar.properties
        return [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { mapping in
            let scalars = mapping.unicodeScalars
            return scalars.count == 1 ? scalars.first : nil
        }
    }
}

/// A scalar property that a character class can test, such as `\d` or `\p{L}`.
enum ScalarProperty: Sendable, Hashable {
    /// `\d`: decimal digits.
    case digit
    /// `\w`: letters, marks, digits and connectors such as `_`.
    case word
    /// `\s`: white space.
    case space
    /// `\h`: white space other than line breaks.
    case horizontalSpace
    /// `[:punct:]`: ASCII punctuation.
    case punctuation
    /// `[:cntrl:]`: control characters.
    case control
    /// `\p{Lu}`, `\p{L}`: a general category, given by its abbreviation, or a group of categories,
    /// given by the first letter of their abbreviations.
    case category(String)

    func holds(for scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .digit:
            return scalar.isASCII
                ? (48...57).contains(scalar.value)
                : scalar.properties.generalCategory == .decimalNumber
        case .word:
            if scalar.isASCII { return scalar == "_" || isASCIILetterOrDigit(scalar) }
            let properties = scalar.properties
            return properties.isAlphabetic || properties.isJoinControl
                || ["Mn", "Mc", "Me", "Nd", "Pc"].contains(abbreviation(scalar))
        case .space: return scalar.properties.isWhitespace
        case .horizontalSpace:
            return scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
        case .punctuation:
            return scalar.isASCII && (33...126).contains(scalar.value)
                && !isASCIILetterOrDigit(scalar)
        case .control: return scalar.properties.generalCategory == .control
        case .category(let name): return abbreviation(scalar).hasPrefix(name)
        }
    }

    private func isASCIILetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        (48...57).contains(scalar.value) || (65...90).contains(scalar.value)
            || (97...122).contains(scalar.value)
    }

    private func abbreviation(_ scalar: Unicode.Scalar) -> String {
        Self.abbreviations[scalar.properties.generalCategory] ?? "Cn"
    }

    /// Returns true if `name` is the abbreviation of a general category, or the start of one.
    static func isCategory(_ name: String) -> Bool {
        !name.isEmpty && abbreviations.values.contains { $0.hasPrefix(name) }
    }

    private static let abbreviations: [Unicode.GeneralCategory: String] = [
        .uppercaseLetter: "Lu", .lowercaseLetter: "Ll", .titlecaseLetter: "Lt",
        .modifierLetter: "Lm", .otherLetter: "Lo", .nonspacingMark: "Mn", .spacingMark: "Mc",
        .enclosingMark: "Me", .decimalNumber: "Nd", .letterNumber: "Nl", .otherNumber: "No",
        .connectorPunctuation: "Pc", .dashPunctuation: "Pd", .openPunctuation: "Ps",
        .closePunctuation: "Pe", .initialPunctuation: "Pi", .finalPunctuation: "Pf",
        .otherPunctuation: "Po", .mathSymbol: "Sm", .currencySymbol: "Sc", .modifierSymbol: "Sk",
        .otherSymbol: "So", .spaceSeparator: "Zs", .lineSeparator: "Zl",
        .paragraphSeparator: "Zp", .control: "Cc", .format: "Cf", .surrogate: "Cs",
        .privateUse: "Co", .unassigned: "Cn",
    ]
}
