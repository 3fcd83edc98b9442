import LineProtocol

/// The field selection of a WHO command, such as `%tnf,42` (IRCv3 whox).
struct WhoxQuery {
    /// A field of a WHOX reply, in reply order, with its letter in the query.
    enum Field: Character, CaseIterable {
        case token = "t"
        case channel = "c"
        case userName = "u"
        case address = "i"
        case host = "h"
        case server = "s"
        case nickname = "n"
        case flags = "f"
        case hopCount = "d"
        case idleSeconds = "l"
        case account = "a"
        case operatorLevel = "o"
        case realName = "r"
    }

    private static let tokenBytesMax = 3

    /// The requested fields, in reply order.
    let fields: [Field]
    /// The client's token, echoed in replies; `0` if there is none.
    let token: [UInt8]

    /// Creates a query from the second argument of WHO; nil if it selects no fields.
    init?(_ text: [UInt8]) {
        guard let start = text.firstIndex(of: ASCII.percent) else { return nil }
        let parts = text[(start + 1)...].split(
            separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
        let letters = String(decoding: parts[0], as: UTF8.self)
        fields = Field.allCases.filter { letters.contains($0.rawValue) }
        guard !fields.isEmpty else { return nil }
        let token = parts.count > 1 ? Array(parts[1].prefix(Self.tokenBytesMax)) : []
        self.token = token.isEmpty ? [ASCII.zero] : token
    }
}
