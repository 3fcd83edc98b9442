/// What is sent, ready but for the slots.
package struct SendTemplate: Sendable, Equatable {
    /// A place that is written over for each send.
    package struct Patch: Sendable, Equatable {
        package var place: Int
        package var slot: Slot
    }

    /// The bytes, with placeholders in the slots.
    package var bytes: [UInt8]
    package var patches: [Patch]

    /// Nothing.
    package init() {
        bytes = []
        patches = []
    }

    /// Encoded bytes in which placeholders stand.
    init(encoded: [UInt8], widths: SlotWidths) {
        bytes = encoded
        patches = []
        for slot in [Slot.name, .to, .from, .room, .text, .token] {
            let placeholder = widths.placeholder(slot)
            var place = 0
            while place + placeholder.count <= encoded.count {
                if encoded[place..<place + placeholder.count].elementsEqual(placeholder) {
                    patches.append(Patch(place: place, slot: slot))
                    place += placeholder.count
                } else {
                    place += 1
                }
            }
        }
    }

    /// One after the other.
    mutating func append(_ other: SendTemplate) {
        patches += other.patches.map { Patch(place: $0.place + bytes.count, slot: $0.slot) }
        bytes += other.bytes
    }

    var slots: Set<Slot> { Set(patches.map(\.slot)) }
}

/// An answer to a line that a standing rule takes; what was captured has any length.
struct ReplyTemplate: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case literal([UInt8])
        case slot(Slot)
    }

    var pieces: [Piece]
}
