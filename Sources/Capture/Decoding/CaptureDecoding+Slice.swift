import Console
import DialectModel
import LineProtocol

/// Writes slices, which contain the packets of the selected connections.
extension CaptureDecoding {
    /// A slice that is being written.
    struct SliceJob {
        let collector: SliceCollector
        let file: SliceFile

        /// Completes the slice. Removes it instead if `isKept` is false.
        func finish(isKept: Bool) -> SliceOutcome {
            file.finish(isKept: isKept)
            return SliceOutcome(
                packets: collector.packets, connections: collector.connections,
                incompleteConnections: collector.incompleteConnections, failure: file.failure,
                isInterrupted: !isKept)
        }
    }

    /// Returns a new slice of the selected connections; nil if none was requested.
    func sliceJob(_ selection: SliceSelection) -> SliceJob? {
        guard let target = options.slice else { return nil }
        let file = SliceFile(target)
        return SliceJob(
            collector: SliceCollector(selection, isGenerated: anonymiser != nil) { file.write($0) },
            file: file)
    }

    /// Returns a sink that passes a conversation to `sink` and to the slice.
    func slicing(
        _ sink: some ConversationSink, _ dialects: DialectSet, _ job: SliceJob
    ) -> SlicingSink {
        SlicingSink(
            sink, dialects.dialects.map(\.dialect), job.collector,
            showsSecrets: options.showsSecrets, anonymiser)
    }

    /// Reads the captures again, and writes the packets of the connections that the first pass
    /// selected. If the command is interrupted, no slice is written.
    func write(_ pending: PendingSlice, from input: PacketInput) -> SliceOutcome {
        guard pending.connections.count > 0, let job = sliceJob(.only(pending.connections)) else {
            return SliceOutcome()
        }
        let sink = slicing(SilentSink(), pending.dialects, job)
        var decoder = CaptureDecoder(
            input, ErasedSink(sink), pending.dialects, pending.reassembly)
        decoder.slice = job.collector
        do throws(CaptureError) {
            try decoder.run { isStopped.isSet || job.file.failure != nil }
        } catch {
            // The first pass has reported the error.
        }
        decoder.finish()
        return job.finish(isKept: !isStopped.isSet)
    }
}
