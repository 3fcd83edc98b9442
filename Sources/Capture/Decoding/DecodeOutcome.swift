/// Result of decoding a capture.
package struct DecodeOutcome: Sendable {
    package var counts: CaptureCounts
    package var error: CaptureError?
    package var dialects: DialectDecision
    /// Findings of filters, if there are any.
    package var findings: SelectionFindings?
    /// The conversation, for a scenario.
    package var transcript: TranscriptSink?
    /// Response times, if requested.
    package var times: TimedCapture?
}
