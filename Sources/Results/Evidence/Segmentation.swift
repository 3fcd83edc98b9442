/// A way of dividing outgoing data into writes. Every scenario can be run with any segmentation,
/// because a server must not depend on segment boundaries.
package enum Segmentation: Sendable, Hashable {
    /// One write for each line.
    case whole
    /// One write for each byte.
    case byte
    /// Splits at random positions derived from the seed.
    case random(seed: UInt64)
    /// A single write for all consecutive lines that have no wait between them.
    case coalesce
    /// A split inside each terminator, or before it if it consists of a single byte.
    case midTerminator
    /// A split inside each multi-byte character.
    case midLetter
    /// The last line before a close is sent in the same segment as the FIN.
    case finWithData

    /// Pause between the writes of one send, in nanoseconds, long enough for the writes to become
    /// separate segments.
    package static let gap: Int64 = 1_000_000

    /// Parses `whole`, `byte`, `random:7`, `coalesce`, `mid-crlf`, `mid-letter` or `fin+data`; nil
    /// for anything else.
    package init?(_ word: String) {
        switch word {
        case "whole": self = .whole
        case "byte": self = .byte
        case "coalesce": self = .coalesce
        case "mid-crlf": self = .midTerminator
        case "mid-letter": self = .midLetter
        case "fin+data": self = .finWithData
        default:
            guard word.hasPrefix("random:"), let seed = UInt64(word.dropFirst(7)) else {
                return nil
            }
            self = .random(seed: seed)
        }
    }

    /// The keyword for the segmentation on the command line and in files.
    package var word: String {
        switch self {
        case .whole: "whole"
        case .byte: "byte"
        case .random(let seed): "random:\(seed)"
        case .coalesce: "coalesce"
        case .midTerminator: "mid-crlf"
        case .midLetter: "mid-letter"
        case .finWithData: "fin+data"
        }
    }
}
