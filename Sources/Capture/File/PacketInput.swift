/// The packets of one capture, or of several captures in order of time.
package struct PacketInput {
    /// The capture that contains the packet that was read last.
    private var reader: CaptureReader
    /// The merge of several captures; nil if there is only one.
    private let merge: CaptureMerge?
    /// Receiver of the TLS secrets in the captures; nil to ignore them.
    var keys: TLSKeys? {
        get { merge?.keys ?? reader.keys }
        set {
            reader.keys = newValue
            merge?.keys = newValue
        }
    }

    /// Creates an input with the packets of one capture.
    package init(_ source: some CaptureSource) {
        reader = CaptureReader(source)
        merge = nil
    }

    /// Creates an input with the packets of several captures. An error in one of them is added to
    /// ``failures``, and does not keep the others from being read.
    package init(_ files: any CaptureAccess, _ order: MergeOrder) {
        reader = CaptureReader(MemorySource([]), file: 0, windowBytes: 0)
        merge = CaptureMerge(files, order)
    }

    /// Returns the next packet if it can be read without waiting; nil if ``readMore()`` must be
    /// called first.
    @inline(__always)
    mutating func nextBuffered() throws(CaptureError) -> CaptureRecord? {
        guard let merge else { return try reader.nextBuffered() }
        return merge.next(&reader)
    }

    /// Reads the missing bytes of the next packet. Returns false at the end.
    mutating func readMore() throws(CaptureError) -> Bool {
        merge == nil ? try reader.readMore() : false
    }

    /// Returns the next packet; nil at the end. Throws if the rest of the only capture cannot be
    /// read.
    mutating func next() throws(CaptureError) -> CaptureRecord? {
        guard let merge else { return try reader.next() }
        return merge.next(&reader)
    }

    /// The bytes that the last packet's ranges refer to.
    @inline(__always)
    var window: [UInt8] { reader.window }

    /// Position of the record after the packet that was read last.
    @inline(__always)
    var position: Int { reader.position }

    /// Returns where the packet in the record at `position` starts in the window, without reading
    /// the record, and advances `position` past it. Returns nil if that is not known yet, or if
    /// there are several captures.
    @inline(__always)
    func peek(_ position: inout Int) -> (start: Int, linkType: LinkType)? {
        merge == nil ? reader.peek(&position) : nil
    }

    /// Returns the interface of the packet that was read last.
    func interface(of record: CaptureRecord) -> CaptureInterface? { reader.interface(of: record) }

    /// Errors that kept one of several captures from being read to the end, with its index.
    package var failures: [(file: Int, error: CaptureError)] {
        merge?.failures.map { ($0.file, $0.error) } ?? []
    }

    var bytesRead: Int { merge?.totals(reader).bytesRead ?? reader.bytesRead }
    var restarts: Int { reader.restarts }
    var unreadPackets: Int { merge?.totals(reader).unreadPackets ?? reader.unreadPackets }
    var damagedPackets: Int { merge?.totals(reader).damagedPackets ?? reader.damagedPackets }

    /// Returns the first packets as a capture of about `bytesMax` bytes, from which dialects can be
    /// detected.
    mutating func sample(_ bytesMax: Int) -> [UInt8] {
        var writer = PcapngWriter()
        do throws(CaptureError) {
            while writer.bytes.count < bytesMax, let record = try next() {
                guard let interface = interface(of: record) else { continue }
                let range = record.start..<(record.start + record.count)
                writer.add(window.span.extracting(range), record, interface)
            }
        } catch {
            // The error is reported when the packets are decoded.
        }
        return writer.bytes
    }
}
