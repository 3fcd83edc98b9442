/// The way in which outgoing data is divided into writes. Every scenario can be run with any
/// segmentation, because a server must not rely on the boundaries of segments.
package enum Segmentation: Sendable, Hashable {
    /// One write for each line.
    case whole
    /// One write for each byte.
    case byte
    /// Cuts at random positions that are derived from the seed.
    case random(seed: UInt64)
    /// Consecutive lines share a write if there is no wait between them.
    case coalesce
    /// A cut inside the terminator, or before it if it has only one byte.
    case midTerminator
    /// A cut inside each multi-byte character.
    case midLetter
    /// The last line before a close is sent together with the FIN.
    case finWithData

    /// Pause between the writes of a single send, in nanoseconds. It is long enough to make them
    /// separate segments.
    package static let gap: Int64 = 1_000_000

    /// Parses `whole`, `byte`, `random:7`, `coalesce`, `mid-crlf`, `mid-letter` or `fin+data`.
    /// Returns nil for anything else.
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

    /// The keyword used in command lines and files.
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
