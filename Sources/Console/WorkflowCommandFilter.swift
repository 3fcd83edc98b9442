/// Filter that keeps CI runners from executing workflow commands in printed text.
///
/// The GitHub Actions runner executes `::name::…` at the start of a line, even after white space,
/// and `##[name]…` anywhere in a line. The filter replaces the start of such commands with
/// `\u003A:` and `#\u0023[`, which are still valid in JSON strings. This also covers the commands
/// of Azure Pipelines and TeamCity, `##vso[` and `##teamcity[`.
package struct WorkflowCommandFilter: Sendable {
    private static let colon = UInt8(ascii: ":")
    private static let hash = UInt8(ascii: "#")
    private static let escapedColon = Array("\\u003A".utf8)
    private static let escapedHash = Array("\\u0023".utf8)

    /// True if only white space has been written since the start of the line.
    private var isAtStart = true
    /// The last byte written.
    private var last = UInt8(ascii: "\n")

    package init() {}

    /// Returns the next part of the text, filtered. A command may be split between two parts.
    package mutating func filtered(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            // The colon or hash at the end of a part may be the start of a command that continues
            // in the next part.
            let next = index == bytes.endIndex ? nil : bytes[index]
            if byte == Self.colon, isAtStart, next == nil || next == Self.colon {
                out += Self.escapedColon
            } else if byte == Self.hash, last == Self.hash, Self.mayBeginName(next) {
                out += Self.escapedHash
            } else {
                out.append(byte)
            }
            last = byte
            isAtStart = Self.isLineEnd(byte) || isAtStart && Self.isSpace(byte)
        }
        return out
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns true for white space. Every byte of a non-ASCII character counts as white space,
    /// because the runner also ignores Unicode white space.
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte) || byte >= 0x80
    }

    private static func mayBeginName(_ byte: UInt8?) -> Bool {
        guard let byte else { return true }
        return byte == UInt8(ascii: "[")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
