/// The result of decoding a capture.
package struct DecodeOutcome: Sendable {
    package var counts: CaptureCounts
    package var error: CaptureError?
    package var dialects: DialectDecision
    /// Filter matches; nil if there are no filters.
    package var findings: SelectionFindings?
    /// The recorded conversation; nil unless it will become a scenario.
    package var transcript: TranscriptSink?
    /// The measured latencies; nil unless they were requested.
    package var times: TimedCapture?
}
