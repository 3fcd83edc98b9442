import LineProtocol
import NIOCore
import NIOWebSocket

/// Writer for WebSocket frames (RFC 6455 §5.2).
///
/// Unlike NIOWebSocket's encoder, it can write several frames into one buffer, so that lines sent
/// together are also written together.
struct WebSocketFrames {
    /// True to mask frames, as clients must.
    let masks: Bool
    /// Source of masking keys. A system call for each key would cost more than writing the frame.
    private var random = SeededRandom(seed: .random(in: 0...UInt64.max))

    init(masks: Bool) { self.masks = masks }

    /// Appends a frame to `target`.
    mutating func append(
        _ opcode: WebSocketOpcode, isLast: Bool = true, _ payload: some Collection<UInt8>,
        to target: inout ByteBuffer
    ) {
        let count = payload.count
        let mask: UInt8 = masks ? 0x80 : 0
        target.writeInteger(UInt8(webSocketOpcode: opcode) | (isLast ? 0x80 : 0))
        switch count {
        case ..<126: target.writeInteger(UInt8(count) | mask)
        case ..<65_536:
            target.writeInteger(126 | mask)
            target.writeInteger(UInt16(count))
        default:
            target.writeInteger(127 | mask)
            target.writeInteger(UInt64(count))
        }
        guard masks else {
            target.writeBytes(payload)
            return
        }
        let key = WebSocketMaskingKey.random(using: &random)
        target.writeBytes(key)
        var masked = ByteBuffer(bytes: payload)
        masked.webSocketMask(key)
        target.writeBuffer(&masked)
    }
}
