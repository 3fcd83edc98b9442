/// How what an operator sends is divided into writes: an axis along which every scenario can be replayed
/// unchanged, because a stream has no segments that a server may rely on.
package enum Segmentation: Sendable, Hashable {
    /// Each line in one write.
    case whole
    /// Each byte in a write of its own.
    case byte
    /// Cut at random places derived from the seed.
    case random(seed: UInt64)
    /// Lines that follow each other without a wait go out in one write.
    case coalesce
    /// Cut between the two bytes of the terminator (or before it, if it has one byte).
    case midTerminator
    /// Cut inside each character of several bytes.
    case midLetter
    /// The last line before a close leaves together with the FIN.
    case finWithData

    /// The waits between the writes of one send, in nanoseconds: long enough that segments leave apart.
    package static let gap: Int64 = 1_000_000

    /// The segmentation that `byte`, `random:7`, `coalesce`, `mid-crlf`, `mid-letter`, `fin+data` or `whole`
    /// names; nil for another word.
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

    /// The word that names it.
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
