import Diagnostics
import NIOCore

/// The content of a close frame (RFC 6455 §5.5.1). It is also a pipeline event, fired when the peer
/// has sent the frame.
package struct WebSocketClose: Sendable, Hashable, CustomStringConvertible {
    /// The code; nil if the frame has none.
    package var code: UInt16?
    /// The peer's explanation.
    package var reason = ""

    /// Reads the payload of a close frame. Returns nil if it has only one byte.
    init?(_ payload: ByteBuffer) {
        var payload = payload
        guard payload.readableBytes != 1 else { return nil }
        code = payload.readInteger()
        reason = escapedForDisplay(Array(payload.readableBytesView))
    }

    /// True if the peer reports no problem.
    package var isNormal: Bool { [nil, 1000, 1001].contains(code) && reason.isEmpty }

    /// The code and its meaning, such as `1002: protocol error`, and the reason.
    package var description: String {
        guard let code else { return "no code" }
        let meaning = Self.meaning(code)
        let parts = [meaning, reason.isEmpty ? nil : reason].compactMap(\.self)
        return parts.isEmpty ? "\(code)" : "\(code): \(parts.joined(separator: ": "))"
    }

    /// Returns the meaning of a code from RFC 6455 §7.4.1 or IANA's registry; nil if it is unknown.
    private static func meaning(_ code: UInt16) -> String? {
        switch code {
        case 1000: "normal closure"
        case 1001: "going away"
        case 1002: "protocol error"
        case 1003: "unsupported data"
        case 1007: "invalid payload data"
        case 1008: "policy violation"
        case 1009: "message too big"
        case 1010: "missing extension"
        case 1011: "internal error"
        case 1012: "service restart"
        case 1013: "try again later"
        case 1014: "bad gateway"
        default: nil
        }
    }
}
