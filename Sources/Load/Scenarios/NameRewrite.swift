import LineProtocol

/// A name of a scenario that must be another one in each of many plays side by side: an operator's, a room's.
struct NameRewrite: Sendable, Hashable {
    /// The longest name that is made of a short one: classic IRC allows nine bytes.
    static let bytesMax = 9
    /// How many digits tell plays apart.
    static let digits = 4
    /// How many plays are told apart; after that names come again.
    static let playsMax: UInt32 = 1 << 20

    /// The word as it stands in the scenario, in small letters.
    var word: String
    /// What stays as it is at its start.
    var prefix = ""
    /// What its other spellings begin with.
    var stem: String
    /// Its place among the names of its scenario.
    var index: Int

    /// Whether it is a number, and has to stay one.
    var isNumber: Bool { word.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }

    /// The name in one of the plays, in the letters of a spelling.
    func value(_ play: UInt32, spelling: [UInt8]) -> [UInt8] {
        if isNumber {
            let number = 10_000_000 * (1 + index % 9) + Int(play)
            return Array(String(number).utf8)
        }
        let isUpper = spelling.last.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
        var bytes: [UInt8] = []
        for (place, byte) in (prefix + stem).utf8.enumerated() {
            let model = place < spelling.count ? spelling[place] : byte
            bytes.append(ASCII.uppercased(model) == ASCII.uppercased(byte) ? model : byte)
        }
        for place in (0..<Self.digits).reversed() {
            let digit = UInt8(play >> UInt32(5 * place) & 31)
            let letter = isUpper ? UInt8(ascii: "A") : UInt8(ascii: "a")
            bytes.append(digit < 10 ? 0x30 + digit : letter + digit - 10)
        }
        return bytes
    }

    /// An expression for the name in any play.
    func expression(of spelling: String) -> String {
        if isNumber { return "[0-9]{8}" }
        let cased = String(decoding: value(0, spelling: Array(spelling.utf8)), as: UTF8.self)
        return cased.dropLast(Self.digits) + "[0-9a-vA-V]{\(Self.digits)}"
    }

    /// Whether a byte can stand in a word.
    static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}
