/// Sizes in a file's code that have a maximum.
struct SourceMeasures {
    /// Number of lines of each type declared or extended at file level, with its nested types.
    private(set) var typeLines: [String: Int] = [:]
    /// Names of functions with at least ``unlabelledMax`` parameters without a label.
    private(set) var unlabelled: [String] = []
    /// True if a declaration is `public`.
    private(set) var hasPublic = false

    /// Number of parameters without a label from which a call is hard to read.
    static let unlabelledMax = 4

    init(_ code: [UInt8]) {
        let declaring: Set = ["struct", "class", "enum", "protocol", "actor", "extension"]
        var words = CodeWords(code)
        var open: (name: String, line: Int)?
        var previous = ""
        while let word = words.next() {
            if word.depth == 0, let type = open, words.closingLine >= type.line {
                typeLines[type.name, default: 0] += words.closingLine - type.line + 1
                open = nil
            }
            if word.depth == 0, declaring.contains(previous), open == nil {
                open = (word.text, word.line)
            }
            if word.text == "public", !word.isMember { hasPublic = true }
            let isFunction = previous == "func" || word.text == "init" && !word.isMember
            if isFunction, Self.unlabelledCount(code, from: words.index) >= Self.unlabelledMax {
                unlabelled.append(word.text)
            }
            previous = word.isMember ? "" : word.text
        }
        if let type = open {
            typeLines[type.name, default: 0] += words.closingLine - type.line + 1
        }
    }

    /// Returns the number of parameters without a label in the list that follows `start`.
    private static func unlabelledCount(_ code: [UInt8], from start: Int) -> Int {
        var index = start
        while index < code.count, code[index] != UInt8(ascii: "("), code[index] != UInt8(ascii: "{")
        {
            index += 1
        }
        guard index < code.count, code[index] == UInt8(ascii: "(") else { return 0 }
        var (depth, count, isFirst) = (0, 0, false)
        repeat {
            switch code[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["):
                depth += 1
                isFirst = depth == 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isFirst = depth == 1
            case UInt8(ascii: " "), UInt8(ascii: "\n"): break
            case UInt8(ascii: "_") where isFirst && code[index + 1] == UInt8(ascii: " "):
                count += 1
                isFirst = false
            default: isFirst = false
            }
            index += 1
        } while depth > 0 && index < code.count
        return count
    }
}
