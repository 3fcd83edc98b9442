/// Encoded bytes to send, with slots to fill in for each send.
package struct SendTemplate: Sendable, Equatable {
    /// The position of a slot in a template.
    package struct Patch: Sendable, Equatable {
        package var offset: Int
        package var slot: Slot
    }

    /// The encoded bytes, with a placeholder in each slot.
    package var bytes: [UInt8]
    package var patches: [Patch]

    package init() {
        bytes = []
        patches = []
    }

    /// Finds the slots' placeholders in encoded bytes.
    init(encoded: [UInt8], widths: SlotWidths) {
        bytes = encoded
        patches = []
        for slot in [Slot.name, .to, .from, .room, .text, .token] {
            let placeholder = widths.placeholder(slot)
            var offset = 0
            while offset + placeholder.count <= encoded.count {
                if encoded[offset..<offset + placeholder.count].elementsEqual(placeholder) {
                    patches.append(Patch(offset: offset, slot: slot))
                    offset += placeholder.count
                } else {
                    offset += 1
                }
            }
        }
    }

    mutating func append(_ other: SendTemplate) {
        patches += other.patches.map { Patch(offset: $0.offset + bytes.count, slot: $0.slot) }
        bytes += other.bytes
    }

    var slots: Set<Slot> { Set(patches.map(\.slot)) }
}

/// The reply of a standing rule. Captured values may have any length.
struct ReplyTemplate: Sendable, Equatable {
    /// A fixed or variable part of a reply.
    enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case slot(Slot)
    }

    var pieces: [Piece]
}
