/// A merger of several captures that returns their packets in order of time.
///
/// A capture is opened when the time of its first packet is reached, so captures that do not
/// overlap are open one at a time. One packet is read ahead from each open capture.
final class CaptureMerge {
    /// Maximum number of captures that are open at the same time.
    static let openMax = 64

    /// An error that kept one capture from being read to the end.
    struct Failure: Sendable {
        var file: Int
        var error: CaptureError
    }

    /// Counts for the captures that are no longer open.
    struct Totals {
        var bytesRead = 0
        var unreadPackets = 0
        var damagedPackets = 0

        mutating func add(_ reader: CaptureReader) {
            bytesRead += reader.bytesRead
            unreadPackets += reader.unreadPackets
            damagedPackets += reader.damagedPackets
        }
    }

    /// An open capture that is not the current one, with its next packet.
    private struct Pending {
        var item: MergeOrder.Item
        var reader: CaptureReader
        var record: CaptureRecord
        /// Time of the packet or, if it has none, of the packet before it in the same capture.
        var time: Int64

        func precedes(_ other: Pending) -> Bool {
            (time, item.firstTime, item.file) < (other.time, other.item.firstTime, other.item.file)
        }
    }

    private let files: any CaptureAccess
    /// The captures that have not been opened yet.
    private var waiting: ArraySlice<MergeOrder.Item>
    private var pending: [Pending] = []
    /// The capture with the packet that was returned last; nil if there is none.
    private var current: MergeOrder.Item?
    /// Time of the packet that was returned last.
    private var time = Int64.min
    /// Time at which the next packet may come from another capture.
    private var limit = Int64.min
    /// Receiver of the TLS secrets in the captures that are opened from now on; nil to ignore them.
    var keys: TLSKeys?
    private(set) var failures: [Failure] = []
    private var closed = Totals()

    init(_ files: any CaptureAccess, _ order: MergeOrder) {
        self.files = files
        waiting = order.items[...]
    }

    /// Counts for all captures. `reader` is the current capture.
    func totals(_ reader: CaptureReader) -> Totals {
        var totals = closed
        if current != nil { totals.add(reader) }
        for capture in pending { totals.add(capture.reader) }
        return totals
    }

    /// Returns the next packet of all captures; nil at the end of the last one. Replaces `reader` if
    /// the packet comes from a different capture.
    func next(_ reader: inout CaptureReader) -> CaptureRecord? {
        if let item = current, let record = advance(&reader, item) {
            let next = record.time == CaptureRecord.timeUnknown ? time : record.time
            if next < limit {
                time = next
                return record
            }
            pending.append(Pending(item: item, reader: reader, record: record, time: next))
        }
        openDue()
        guard let first = pending.indices.min(by: { pending[$0].precedes(pending[$1]) }) else {
            current = nil
            return nil
        }
        let chosen = pending.remove(at: first)
        (reader, current, time) = (chosen.reader, chosen.item, chosen.time)
        limit = min(pending.map(\.time).min() ?? .max, waiting.first?.firstTime ?? .max)
        return chosen.record
    }

    /// Returns the next packet of a capture. At its end, closes it and returns nil.
    private func advance(_ reader: inout CaptureReader, _ item: MergeOrder.Item) -> CaptureRecord? {
        do throws(CaptureError) {
            if let record = try reader.next() { return record }
        } catch {
            failures.append(Failure(file: item.file, error: error))
        }
        closed.add(reader)
        files.close(item.file)
        return nil
    }

    /// Opens the captures that may contain the next packet.
    private func openDue() {
        while let item = waiting.first {
            let earliest = pending.map(\.time).min()
            guard earliest.map({ item.firstTime <= $0 }) ?? true else { return }
            waiting.removeFirst()
            open(item)
        }
    }

    private func open(_ item: MergeOrder.Item) {
        do throws(CaptureError) {
            guard pending.count < Self.openMax else {
                throw CaptureError(
                    .unsupported,
                    "more than \(Self.openMax) captures cover the same time; this one was skipped",
                    help: "merge some of them first, for example with mergecap")
            }
            var reader = CaptureReader(
                try files.open(item.file), file: UInt16(item.file),
                windowBytes: MergeOrder.windowBytes)
            reader.keys = keys
            guard let record = advance(&reader, item) else { return }
            pending.append(
                Pending(item: item, reader: reader, record: record, time: record.time))
        } catch {
            failures.append(Failure(file: item.file, error: error))
        }
    }
}
