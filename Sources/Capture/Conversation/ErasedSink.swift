import LineProtocol

/// A type-erased sink.
///
/// Sinks other than the logs of large captures share the decoder for this type.
struct ErasedSink: SpecialisedSink {
    private var sink: any ConversationSink
    private let observer: (any LineObserver)?

    /// - Parameter observer: Receives each line before the sink; nil for none.
    init(_ sink: some ConversationSink, observer: (any LineObserver)? = nil) {
        if let erased = sink as? ErasedSink, observer == nil {
            self = erased
        } else {
            self.sink = sink
            self.observer = observer
        }
    }

    /// Returns the sink if it has this type, otherwise nil.
    func unwrapped<Sink: ConversationSink>(as type: Sink.Type) -> Sink? {
        (sink as? Sink) ?? (self as? Sink)
    }

    mutating func started(at time: Int64) { sink.started(at: time) }

    mutating func switchDialect(to dialect: Int) {
        observer?.switchDialect(to: dialect)
        sink.switchDialect(to: dialect)
    }

    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        sink.opened(connection, packet)
    }

    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        observer?.line(line, message, in: bytes)
        sink.line(line, message, in: bytes)
    }

    mutating func repeatedLine(
        _ frame: Frame, of connection: CapturedConnection, _ half: HalfStream,
        _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool {
        sink.repeatedLine(frame, of: connection, half, packet, in: bytes)
    }

    mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        sink.note(note, connection, direction, packet)
    }

    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        sink.ended(connection, end, packet)
    }

    mutating func pause() { sink.pause() }

    mutating func finish() { sink.finish() }

    static func decode(
        _ decoder: inout CaptureDecoder<ErasedSink>, until isStopped: () -> Bool
    ) throws(CaptureError) {
        while !isStopped(), try decoder.next() {}
    }
}
