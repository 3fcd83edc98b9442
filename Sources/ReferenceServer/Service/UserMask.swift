import ChatModel

/// A pattern for users in the form `nickname!account@host`, in which `*` matches any text and `?`
/// matches one character.
package struct UserMask: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a mask from user input. Omitted parts match anything.
    package init(completing text: [UInt8]) {
        let host = text.lastIndex(of: 0x40)
        let account = text[..<(host ?? text.endIndex)].firstIndex(of: 0x21)
        let star: [UInt8] = [0x2A]
        func part(_ bytes: ArraySlice<UInt8>) -> [UInt8] { bytes.isEmpty ? star : Array(bytes) }
        guard account != nil || host != nil else {
            // Text without separators is a host if it contains a dot or a colon.
            let isHost = text.contains { $0 == 0x2E || $0 == 0x3A }
            let nickname = isHost ? star : part(text[...])
            bytes = nickname + [0x21] + star + [0x40] + (isHost ? text : star)
            return
        }
        let end = host ?? text.endIndex
        let nickname = account.map { part(text[..<$0]) } ?? star
        let middle = text[(account.map { $0 + 1 } ?? text.startIndex)..<end]
        let rest = host.map { part(text[($0 + 1)...]) } ?? star
        bytes = nickname + [0x21] + part(middle) + [0x40] + rest
    }

    /// Returns whether the mask matches the user. Case is handled as in nicknames.
    func matches(_ person: ChatUser, _ names: NameRules) -> Bool {
        let text = person.nickname + [0x21] + person.account + [0x40] + person.host
        return Self.matches(Self.folded(bytes, names), Self.folded(text, names))
    }

    private static func folded(_ text: [UInt8], _ names: NameRules) -> [UInt8] {
        if case .bytes(let folded)? = names.key(text) { folded } else { text }
    }

    /// Matches text against a mask. The running time is at most proportional to the product of
    /// their lengths.
    private static func matches(_ mask: [UInt8], _ text: [UInt8]) -> Bool {
        var (index, offset) = (0, 0)
        var star: (index: Int, offset: Int)?
        while offset < text.count {
            if index < mask.count, mask[index] == 0x2A {
                star = (index, offset)
                index += 1
            } else if index < mask.count, mask[index] == 0x3F || mask[index] == text[offset] {
                index += 1
                offset += 1
            } else if let last = star {
                index = last.index + 1
                offset = last.offset + 1
                star = (last.index, offset)
            } else {
                return false
            }
        }
        return mask[index...].allSatisfy { $0 == 0x2A }
    }
}
