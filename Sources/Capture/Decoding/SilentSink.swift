package import LineProtocol

/// A sink that discards everything, used when a slice is written to standard output.
package struct SilentSink: ConversationSink {
    package init() {}

    package mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {}
}
