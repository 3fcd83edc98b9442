/// Decides which packets of a capture are looked at, before anything is made of them.
package protocol PacketSelection: AnyObject, Sendable {
    /// Whether the packet, whose captured bytes are given, is wanted.
    func accepts(_ packet: Span<UInt8>, _ record: CaptureRecord) -> Bool
}
