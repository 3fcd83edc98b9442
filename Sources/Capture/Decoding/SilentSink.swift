import LineProtocol

/// A sink that discards everything, used when a slice is written to standard output.
struct SilentSink: ConversationSink {
    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {}
}
