package import DialectModel
import LineProtocol
import RegularExpressions

/// A program with its names replaced by variables.
package struct RenamedProgram: Sendable {
    package private(set) var program: Program
    /// The variables, each with the name that it replaces and how that name is written.
    private var spellings: [(variable: String, rewrite: NameRewrite, spelling: [UInt8])]

    /// Replaces every occurrence of a name with a variable, case-insensitively.
    ///
    /// - Parameter keepsLength: true to replace names of three bytes or more with names of the same
    ///   length, in case the scenario depends on the length.
    package init(_ program: Program, dialect: BoundDialect, keepsLength: Bool = false) {
        let names = ScenarioNames(program.file, dialect)
        self.init(
            program, names.rewrites(keepsLength: keepsLength), numbersIn: names.numberArguments)
    }

    /// Replaces every occurrence of the given names with a variable.
    ///
    /// - Parameter numbersIn: arguments in which a number may be one of the names.
    init(_ program: Program, _ rewrites: [NameRewrite], numbersIn arguments: Set<ArgumentName>) {
        var writer = NameRewriter(rewrites, arguments)
        self.program = program.rewritten(by: &writer)
        spellings = writer.spellings
    }

    /// Describes the names used in a run: `in this run, alice is alice0f2k and bob is bob0f2k`.
    package static func summary(of values: [String: [UInt8]]) -> String {
        let pairs = values.sorted { $0.key < $1.key }.map { variable, value in
            "\(variable.dropFirst().dropLast()) is \(String(decoding: value, as: UTF8.self))"
        }
        return "in this run, " + pairs.joined(separator: ", ")
    }

    /// Returns the values of the variables for a run.
    package func values(_ runNumber: UInt32) -> [String: [UInt8]] {
        Dictionary(
            spellings.map { ($0.variable, $0.rewrite.value(runNumber, spelling: $0.spelling)) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// A rewriter that replaces names with variables.
private struct NameRewriter: ProgramRewriter {
    private let rewrites: [String: NameRewrite]
    private let arguments: Set<ArgumentName>
    private var known: Set<String> = []
    private(set) var spellings: [(variable: String, rewrite: NameRewrite, spelling: [UInt8])] = []

    init(_ rewrites: [NameRewrite], _ arguments: Set<ArgumentName>) {
        self.rewrites = Dictionary(
            rewrites.map { ($0.word, $0) }, uniquingKeysWith: { one, _ in one })
        self.arguments = arguments
    }

    mutating func variable(for number: Int64, in argument: ArgumentName) -> String? {
        guard arguments.contains(argument) else { return nil }
        return variable(Array(String(number).utf8))
    }

    /// Rewrites a regular expression that contains a name, so that it matches the name in any run.
    /// The expression may contain the name literally or with a character class for each letter:
    /// `[Bb][Oo][Bb]`.
    func expression(_ expression: RegularExpression) -> RegularExpression {
        var result = expression.source
        for rewrite in rewrites.values.sorted(by: { $0.word < $1.word }) where !rewrite.isNumber {
            result = Self.replacingWords(result, rewrite)
            let spelt = rewrite.word.map { letter -> String in
                let (small, large) = (String(letter).lowercased(), String(letter).uppercased())
                return small == large ? small : "[\(large)\(small)]"
            }.joined()
            result = result.replacing(spelt, with: "(?i:\(rewrite.expression(of: rewrite.word)))")
        }
        return (try? RegularExpression(result)) ?? expression
    }

    private static func replacingWords(_ expression: String, _ rewrite: NameRewrite) -> String {
        let bytes = Array(expression.utf8)
        var result: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            guard NameRewrite.isNameByte(bytes[offset]) else {
                result.append(bytes[offset])
                offset += 1
                continue
            }
            let end = bytes[offset...].firstIndex { !NameRewrite.isNameByte($0) } ?? bytes.count
            let word = String(decoding: bytes[offset..<end], as: UTF8.self)
            let isName = word.lowercased() == rewrite.word
            result += isName ? Array(rewrite.expression(of: word).utf8) : Array(bytes[offset..<end])
            offset = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Words

    mutating func parts(of literal: [UInt8], from start: Int) -> [RewrittenPart] {
        var result: [RewrittenPart] = []
        var kept = Array(literal[..<start])
        var offset = start
        while offset < literal.count {
            guard NameRewrite.isNameByte(literal[offset]) else {
                kept.append(literal[offset])
                offset += 1
                continue
            }
            let end = literal[offset...].firstIndex { !NameRewrite.isNameByte($0) } ?? literal.count
            let word = Array(literal[offset..<end])
            // A short number can mean anything, so it is not replaced.
            let isShortNumber = word.count < 3 && word.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            if !isShortNumber, let name = variable(word) {
                if !kept.isEmpty { result.append(.literal(kept)) }
                kept = []
                result.append(.variable(name))
            } else {
                kept += word
            }
            offset = end
        }
        if !kept.isEmpty || result.isEmpty { result.append(.literal(kept)) }
        return result
    }

    private mutating func variable(_ word: [UInt8]) -> String? {
        let spelling = String(decoding: word, as: UTF8.self)
        guard let rewrite = rewrites[spelling.lowercased()] else { return nil }
        let name = "(\(spelling))"
        if known.insert(spelling).inserted { spellings.append((name, rewrite, word)) }
        return name
    }
}
