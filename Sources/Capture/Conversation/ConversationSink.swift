package import LineProtocol

/// A line of a conversation, with its origin in the capture.
package struct CapturedLine {
    package var connection: CapturedConnection
    /// The connection's state in this direction, which is faster to access than the connection.
    let half: HalfStream
    package var direction: Direction
    /// The packet that completed the line; for an unfinished line, the packet with its last bytes.
    package var packet: PacketInfo
    /// Positions of the line's parts in the bytes that are passed to the sink.
    package var frame: Frame
    package var marks: Marks
    /// True if the line violates the command table.
    package var breaksDialect: Bool
    /// True if lines with this command may change the operator's name.
    var mayRename = false

    /// Flags for unusual lines, such as lines with missing parts.
    package struct Marks: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The start of the line was not captured, so its command is unknown.
        package static let headMissing = Marks(rawValue: 1)
        /// The end of the line was not captured.
        package static let tailMissing = Marks(rawValue: 2)
        /// The line follows a gap. It is a valid command, but its start may be missing.
        package static let headUncertain = Marks(rawValue: 4)
        /// The line was captured after its connection was reset.
        package static let afterReset = Marks(rawValue: 8)
        /// Part of the line is, or may be, missing.
        package static let incomplete: Marks = [.headMissing, .tailMissing, .headUncertain]
    }
}

/// An event in a conversation other than a line.
package enum ConversationNote: Sendable, Equatable {
    /// Bytes are missing from the stream.
    case gap(StreamGap)
    /// Bytes were retransmitted with different content.
    case conflict(StreamConflict)
    /// One side closed its sending direction.
    case halfClosed
    /// From here on, the connection is encrypted and cannot be decrypted.
    case encrypted
    /// From here on, the connection is encrypted and is decrypted with secrets from a key log.
    case decrypted
    /// A part of an encrypted connection cannot be decrypted, although the key log has secrets.
    case undecrypted(TLSProblem)
    /// All details of the TLS handshake that can be read have been read.
    case handshake(TLSDetails)
    /// A PROXY protocol header named the client; nil if it names none, for example because the
    /// proxy opened the connection to check the server's health.
    case proxied(IPEndpoint?)
    /// From here on, the messages of a WebSocket are compressed.
    case compressed
    /// The start of the next line or WebSocket frame cannot be found, so the rest of the connection
    /// is not decoded.
    case outOfStep
    /// A line was truncated because unfinished lines took up too many bytes.
    case lineCut
    /// The operator's name became known or changed.
    case named([UInt8])
    /// The dialect was detected from the connection's first bytes.
    case speaks(String)
}

/// A consumer of a decoded conversation, such as a log or statistics.
///
/// Events arrive in the order of the capture. Ranges in a message refer to the bytes that are
/// passed with it, and are valid only during the call.
package protocol ConversationSink {
    /// Announces the time of the capture's first packet, before all other events. Not called if
    /// the packet has no time.
    mutating func started(at time: Int64)
    /// Announces that the following lines use the dialect with this index. Until the first call,
    /// lines use dialect 0.
    mutating func switchDialect(to dialect: Int)
    /// Reports a new connection.
    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo)
    /// Reports a decoded line.
    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>)
    /// Offers a complete server line without payload before it is decoded. Returns true if the sink
    /// has written it from a cache of identical lines, in which case ``line(_:_:in:)`` is not
    /// called.
    mutating func repeatedLine(
        _ frame: Frame, of connection: CapturedConnection, _ half: HalfStream,
        _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool
    /// Reports an event other than a line. `direction` is nil if the event concerns both
    /// directions.
    mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo)
    /// Reports the end of a connection.
    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo)
    /// Called before the decoder waits for more packets, so that the sink can flush its output.
    mutating func pause()
    /// Reports the end of the capture.
    mutating func finish()
}

/// An observer of the lines that a sink receives.
package protocol LineObserver: AnyObject {
    /// Announces that the following lines use the dialect with this index.
    func switchDialect(to dialect: Int)
    /// Reports a decoded line.
    func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>)
}

/// A sink for which the compiler specialises the whole decoder, which adds 100 kB to the program for
/// each type. The generic decoder takes 50% longer.
package protocol SpecialisedSink: ConversationSink {
    /// Decodes packets until the end of the capture, or until `isStopped` returns true.
    ///
    /// Each type has the same implementation: only code with a concrete type is specialised.
    static func decode(
        _ decoder: inout CaptureDecoder<Self>, until isStopped: () -> Bool
    ) throws(CaptureError)
}

extension ConversationSink {
    @inline(__always)
    package mutating func repeatedLine(
        _ frame: Frame, of connection: CapturedConnection, _ half: HalfStream,
        _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool { false }

    package mutating func started(at time: Int64) {}
    package mutating func switchDialect(to dialect: Int) {}
    package mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {}
    package mutating func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {}
    package mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {}
    package mutating func pause() {}
    package mutating func finish() {}
}
