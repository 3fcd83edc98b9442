/// A filter for the packets of a capture, which is applied before they are decoded.
package protocol PacketSelection: AnyObject, Sendable {
    /// Returns whether to decode the packet with these captured bytes.
    func accepts(_ packet: Span<UInt8>, _ record: CaptureRecord) -> Bool
}
