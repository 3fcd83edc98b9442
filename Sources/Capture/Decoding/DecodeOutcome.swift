/// The result of decoding a capture.
package struct DecodeOutcome: Sendable {
    package var counts: CaptureCounts
    package var error: CaptureError?
    package var dialects: DialectDecision
    /// The results of the filters; nil if there are no filters.
    package var findings: SelectionFindings?
    /// The conversation to convert to a scenario; nil for all other output formats.
    package var transcript: TranscriptSink?
    /// The measured latencies; nil unless they were requested.
    package var times: TimedCapture?
}
