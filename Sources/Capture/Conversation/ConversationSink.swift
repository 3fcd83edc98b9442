package import LineProtocol

/// One line of a conversation, with where it stands in the capture.
package struct CapturedLine {
    /// The connection that it belongs to.
    package var connection: Connection
    /// Who sent it.
    package var direction: Direction
    /// The packet that completed it.
    package var packet: PacketInfo
    /// Its places in the bytes given with it.
    package var frame: Frame
    /// What is missing of it.
    package var marks: Marks
    /// Whether it breaks the dialect.
    package var breaksDialect: Bool

    /// What is missing of a line.
    package struct Marks: OptionSet, Sendable {
        /// The bits.
        package let rawValue: UInt8

        /// Marks by their bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Its start was not captured: it is no command.
        package static let headMissing = Marks(rawValue: 1)
        /// Its end was not captured.
        package static let tailMissing = Marks(rawValue: 2)
        /// It stands behind a hole and may have lost its start, although it is a command as it is.
        package static let headUncertain = Marks(rawValue: 4)
    }
}

/// What else happens in a conversation.
package enum ConversationNote: Sendable, Equatable {
    /// Bytes are missing in the stream.
    case gap(StreamGap)
    /// Bytes came twice and differed.
    case conflict(StreamConflict)
    /// One side has ended its stream.
    case halfClosed
    /// From here on the connection is encrypted.
    case encrypted
    /// Where a frame begins can no longer be told.
    case outOfStep
    /// A line was cut, because all that are unfinished take too much room.
    case lineCut
    /// The operator is now called so.
    case named([UInt8])
    /// By what was said first, the connection speaks this dialect.
    case speaks(String)
}

/// What is made of a conversation: a log, JSON Lines, a transcript, figures.
///
/// It is told everything in the order of the capture. A message's ranges point into the bytes that come
/// with it and hold during the call.
package protocol ConversationSink {
    /// The lines that follow are of the dialect at this place; at first of the one at 0.
    mutating func turn(to dialect: Int)
    /// A connection was seen for the first time.
    mutating func opened(_ connection: Connection, _ packet: PacketInfo)
    /// A line, decoded.
    mutating func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>)
    /// Asked before a whole line of a server, without a payload, is decoded: whether the sink has told it already,
    /// because it knows by its bytes what there is to tell. Then it does not come as ``line(_:_:in:)``.
    mutating func lineAgain(
        _ frame: Frame, _ connection: Connection, _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool
    /// Something else has happened; a direction is given where it concerns one.
    mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo)
    /// A connection is over.
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo)
    /// Nothing more is at hand for now: what was gathered should be shown.
    mutating func pause()
    /// The capture is over.
    mutating func finish()
    /// Decodes what is left of a capture, or until `isStopped` says so.
    ///
    /// A kind of sink that is told all of a large capture has a function of its own, with the same body: there the
    /// compiler knows the kind, and the whole way of a packet is made for it. The general one takes half as long
    /// again.
    static func decode(
        _ decoder: inout CaptureDecoder<Self>, until isStopped: () -> Bool
    ) throws(CaptureError)
}

extension ConversationSink {
    /// It has not.
    @inline(__always)
    package mutating func lineAgain(
        _ frame: Frame, _ connection: Connection, _ packet: PacketInfo, in bytes: Span<UInt8>
    ) -> Bool { false }

    /// Decodes what is left of a capture.
    package static func decode(
        _ decoder: inout CaptureDecoder<Self>, until isStopped: () -> Bool
    ) throws(CaptureError) {
        while !isStopped(), try decoder.next() {}
    }

    /// Nothing to be done.
    package mutating func turn(to dialect: Int) {}
    /// Nothing to be done.
    package mutating func pause() {}
}
