import LineProtocol

/// A name in a scenario that must be different in each concurrent run, such as the name of an
/// operator or a room, and the rule for generating its replacements.
package struct NameRewrite: Sendable, Hashable {
    /// Maximum length in bytes of a generated name, unless the original is longer or its length is
    /// kept. Classic IRC allows nine.
    static let bytesMax = 9
    /// Maximum number of base-32 digits that distinguish runs, in names that are not numbers.
    static let digitsMax = 4
    /// Number of runs with distinct names. After that, names repeat.
    package static let runsMax: UInt32 = 1 << 20

    /// The name as written in the scenario, in lower case.
    package var word: String
    /// The start of the name that is kept in generated names, such as the prefix of a room name;
    /// usually empty.
    package var prefix = ""
    /// The start of the generated names, which is the same in every run.
    package var stem: String
    /// Number of digits that distinguish runs: base-32 digits after the stem, or, if the name is a
    /// number, decimal digits after the first.
    package var digits: Int
    /// Index of the name among the names of its scenario.
    package var index: Int

    package init(
        word: String, prefix: String = "", stem: String, digits: Int = digitsMax, index: Int
    ) {
        self.word = word
        self.prefix = prefix
        self.stem = stem
        self.digits = digits
        self.index = index
    }

    /// Returns the number of digits in a generated name that has the same length as the original;
    /// nil if the name is too short for that.
    static func digits(forLength bytes: Int) -> Int? {
        bytes < 3 ? nil : min(max(bytes - 2, 2), digitsMax)
    }

    /// True if the name is a number; the generated names must then also be numbers.
    var isNumber: Bool { Self.isNumber(word) }

    static func isNumber(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Returns the name for a run. Its letters have the same case as in `spelling`.
    package func value(_ runNumber: UInt32, spelling: [UInt8]) -> [UInt8] {
        if isNumber {
            var power = 1
            for _ in 0..<digits { power *= 10 }
            return Array(String(power * (1 + index % 9) + Int(runNumber) % power).utf8)
        }
        let isUpper = spelling.last.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
        var bytes: [UInt8] = []
        for (offset, byte) in (prefix + stem).utf8.enumerated() {
            let model = offset < spelling.count ? spelling[offset] : byte
            bytes.append(ASCII.uppercased(model) == ASCII.uppercased(byte) ? model : byte)
        }
        for digitIndex in (0..<digits).reversed() {
            let digit = UInt8(runNumber >> UInt32(5 * digitIndex) & 31)
            let letter = isUpper ? UInt8(ascii: "A") : UInt8(ascii: "a")
            bytes.append(digit < 10 ? 0x30 + digit : letter + digit - 10)
        }
        return bytes
    }

    /// Returns a regular expression that matches the name in any run.
    func expression(of spelling: String) -> String {
        if isNumber { return "[0-9]{\(digits + 1)}" }
        let cased = String(decoding: value(0, spelling: Array(spelling.utf8)), as: UTF8.self)
        return cased.dropLast(digits) + "[0-9a-vA-V]{\(digits)}"
    }

    /// Returns true if a byte can be part of a name.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}
