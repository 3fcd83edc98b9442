/// A filter that is applied to the packets of a capture before they are decoded.
package protocol PacketSelection: AnyObject, Sendable {
    /// Returns whether to decode the packet with these captured bytes.
    func accepts(_ packet: Span<UInt8>, _ record: CaptureRecord) -> Bool
}
