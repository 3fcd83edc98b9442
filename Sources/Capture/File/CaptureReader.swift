/// Where the bytes of a capture come from.
package protocol CaptureSource {
    /// Writes the next bytes into `room`; returns how many, 0 at the end.
    mutating func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
    /// Asked where ``read(into:)`` gave nothing: whether another capture follows in the place of this one,
    /// of which the next read gives the start.
    mutating func startsAnew() throws(CaptureError) -> Bool
}

extension CaptureSource {
    /// Nothing follows.
    package mutating func startsAnew() throws(CaptureError) -> Bool { false }
}

/// A source that tells whether reading would wait, so that a guess need not.
package protocol SampleableSource: CaptureSource {
    /// Whether something can be read now, or the end is reached.
    var isReady: Bool { get }
}

/// Reads a capture through a window of fixed size and shows its packets one by one.
package struct CaptureReader {
    /// So many are read at once, if a packet needs no more: what is read again and again fits into the
    /// processor's cache, beside what is known of the connections.
    static var readBytes: Int { 1 << 16 }
    /// The bytes of the window.
    package static var windowBytes: Int { 1 << 19 }

    /// Asked once for many packets: that its kind is not known here costs nothing.
    private var source: any CaptureSource
    private var parser = CaptureParser()
    /// The bytes that the ranges of the last packet point into.
    package private(set) var window: [UInt8]
    private var place = 0
    private var filled = 0
    private var hasEnded = false
    /// How many bytes from `place` on the next step needs.
    private var needed = 0
    /// Bytes of the file that were read.
    package private(set) var bytesRead = 0
    /// How often another capture took the place of the one that was read.
    package private(set) var restarts = 0

    /// A reader of a whole capture.
    package init(_ source: some CaptureSource) {
        self.source = source
        window = Array(repeating: 0, count: max(Self.windowBytes, CaptureParser.windowBytesMin))
    }

    /// Packets that were passed over, because they are too large or name no known interface.
    package var unreadPackets: Int { parser.unreadPackets }

    /// The next packet; nil at the end. Throws once, when the capture cannot be read on; what came before
    /// counts.
    @inline(__always)
    package mutating func next() throws(CaptureError) -> CaptureRecord? {
        while true {
            if let record = try nextAtHand() { return record }
            guard try readOn() else { return nil }
        }
    }

    /// The next packet, if it was read already; else nil, and ``readOn()`` gets more.
    @inline(__always)
    mutating func nextAtHand() throws(CaptureError) -> CaptureRecord? {
        switch Self.step(&parser, window, filled, &place) {
        case .packet(let record): return record
        case .failed(let error): throw error
        case .needs(let count):
            needed = count
            return nil
        }
    }

    /// Reads what the next packet lacks; false at the end.
    mutating func readOn() throws(CaptureError) -> Bool {
        if !hasEnded { try refill(needed) }
        return !hasEnded
    }

    /// The parser's next step in the first `filled` bytes of the window.
    @inline(__always)
    private static func step(
        _ parser: inout CaptureParser, _ window: [UInt8], _ filled: Int, _ place: inout Int
    ) -> CaptureParser.Step {
        parser.next(window.span.extracting(first: filled), &place)
    }

    /// Reads on until `count` bytes stand from `place` on.
    @inline(never)
    private mutating func refill(_ count: Int) throws(CaptureError) {
        let held = filled - place
        unsafe window.withUnsafeMutableBufferPointer { window in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: window[place..<filled])
            _ = unsafe window.update(fromContentsOf: rest)
        }
        parser.moveWindow(by: place)
        place = 0
        filled = held
        while filled < count {
            let got = try fill()
            if got == 0 {
                if try source.startsAnew() {
                    beginAnew()
                    return
                }
                hasEnded = true
                if filled == 0, parser.isBetweenRecords { return }
                throw parser.cutShort(needed: count, held: filled, 0)
            }
            filled += got
            bytesRead += got
        }
    }

    /// Reads what follows as a capture of its own; packets are counted on.
    private mutating func beginAnew() {
        restarts += 1
        var fresh = CaptureParser()
        fresh.packets = parser.packets
        fresh.unreadPackets = parser.unreadPackets
        parser = fresh
        place = 0
        filled = 0
    }

    private mutating func fill() throws(CaptureError) -> Int {
        var result: Result<Int, CaptureError> = .success(0)
        unsafe window.withUnsafeMutableBytes { window in
            let end = min(window.count, max(needed, filled + Self.readBytes))
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: window[filled..<end])
            do throws(CaptureError) {
                result = .success(unsafe try source.read(into: room))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}

/// A capture in memory, given in pieces of at most so many bytes.
package struct MemorySource: CaptureSource {
    private let bytes: [UInt8]
    private let pieceBytesMax: Int
    private var place = 0

    /// A source of these bytes.
    package init(_ bytes: [UInt8], pieceBytesMax: Int = .max) {
        self.bytes = bytes
        self.pieceBytesMax = max(1, pieceBytesMax)
    }

    /// Writes the next bytes into `room`.
    package mutating func read(
        into room: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) -> Int {
        let count = min(room.count, pieceBytesMax, bytes.count - place)
        guard count > 0 else { return 0 }
        unsafe room.copyBytes(from: bytes[place..<(place + count)])
        place += count
        return count
    }
}
