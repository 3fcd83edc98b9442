/// One connection to the service. The slot is used again after the connection has ended, the generation
/// tells the old one from the new.
package struct ConnectionID: Sendable, Hashable {
    package var slot: Int32
    package var generation: UInt32

    package init(slot: Int32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}
