/// The result of decoding a capture.
package struct DecodeOutcome: Sendable {
    package var counts: CaptureCounts
    /// Errors that kept captures from being read to the end.
    package var errors: [CaptureError]
    package var dialects: DialectDecision
    /// Secrets that were used for decrypting TLS; nil if this build cannot decrypt.
    var keys: TLSKeys?
    /// The results of the filters; nil if there are no filters.
    package var findings: SelectionFindings?
    /// The conversation to convert to a scenario; nil for all other output formats.
    package var transcript: TranscriptSink?
    /// The ladder diagram; nil for all other output formats.
    package var ladder: Ladder?
    /// The measured latencies; nil unless they were requested.
    package var times: TimedCapture?
    /// The messages and the problems with them; nil unless they were requested.
    package var deliveries: DeliveryCounts?
    /// What the traffic shows about the server; nil unless it was requested.
    package var judgement: CaptureJudgement?
    /// The lines for a comparison with another capture; nil unless they were requested.
    package var comparable: ComparableCapture?
    /// The result of writing a slice; nil if none was requested, or if it is pending.
    package var slice: SliceOutcome?
    /// The slice to write in a second pass; nil if there is none.
    var pendingSlice: PendingSlice?
}
