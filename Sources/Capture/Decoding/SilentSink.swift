import LineProtocol

/// A sink without output, used if standard output is needed for a slice.
struct SilentSink: ConversationSink {
    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {}
}
