/// The result of decoding a capture.
package struct DecodeOutcome: Sendable {
    package var counts: CaptureCounts
    package var error: CaptureError?
    package var dialects: DialectDecision
    /// Findings of the filters; nil if there are no filters.
    package var findings: SelectionFindings?
    /// The recorded conversation, if it is converted to a scenario.
    package var transcript: TranscriptSink?
    /// Response times, if requested.
    package var times: TimedCapture?
}
