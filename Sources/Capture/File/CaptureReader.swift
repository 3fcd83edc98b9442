/// A source of a capture's bytes.
package protocol CaptureSource {
    /// Reads the next bytes into `buffer`. Returns the number of bytes read, or 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int
    /// Called after ``read(into:)`` has returned 0. Returns true if another capture has replaced
    /// this one, in which case the next read returns the start of the new capture.
    mutating func openReplacement() throws(CaptureError) -> Bool
}

extension CaptureSource {
    package mutating func openReplacement() throws(CaptureError) -> Bool { false }
}

/// A source that reports whether reading would block, so that dialect detection need not wait for
/// data.
package protocol SampleableSource: CaptureSource {
    /// True if a read would return immediately, either with bytes or at the end.
    var isReady: Bool { get }
}

/// A reader for the packets of a capture. It holds only a window of the capture in memory.
package struct CaptureReader {
    /// Number of bytes per read, unless a packet needs more. It is small enough to keep the bytes
    /// and the connection state in the CPU cache.
    static var readBytes: Int { 1 << 16 }
    package static var windowBytes: Int { 1 << 19 }

    /// An existential is cheap here, because it is called only once for many packets.
    private var source: any CaptureSource
    private var parser: CaptureParser
    /// The bytes that the last packet's ranges refer to.
    package private(set) var window: [UInt8]
    private var offset = 0
    private var filled = 0
    private var hasEnded = false
    /// Number of bytes that the next step needs, starting at `offset`.
    private var needed = 0
    package private(set) var bytesRead = 0
    /// Number of times the capture was replaced by another capture.
    package private(set) var restarts = 0

    package init(_ source: some CaptureSource) {
        self.init(
            source, file: 0, windowBytes: max(Self.windowBytes, CaptureParser.windowBytesMin))
    }

    /// Creates a reader for one of several captures.
    ///
    /// - Parameters:
    ///   - file: Index of the capture.
    ///   - windowBytes: Initial size of the window, which grows if a packet needs more.
    init(_ source: some CaptureSource, file: UInt16, windowBytes: Int) {
        self.source = source
        parser = CaptureParser(file: file)
        window = Array(repeating: 0, count: windowBytes)
    }

    /// Number of packets that were skipped because they were too large.
    package var unreadPackets: Int { parser.unreadPackets }
    /// Number of packets that were skipped because they referred to an unknown interface.
    package var damagedPackets: Int { parser.damagedPackets }

    /// Receiver of the TLS secrets in the capture; nil to ignore them.
    var keys: TLSKeys? {
        get { parser.keys }
        set { parser.keys = newValue }
    }

    /// Returns the interface of the packet that was read last.
    func interface(of record: CaptureRecord) -> CaptureInterface? { parser.interface(of: record) }

    /// Returns the next packet; nil at the end. Throws if the rest of the capture cannot be read.
    @inline(__always)
    package mutating func next() throws(CaptureError) -> CaptureRecord? {
        while true {
            if let record = try nextBuffered() { return record }
            guard try readMore() else { return nil }
        }
    }

    /// Returns the next packet if it is in the window; nil if ``readMore()`` must be called first.
    @inline(__always)
    mutating func nextBuffered() throws(CaptureError) -> CaptureRecord? {
        switch Self.step(&parser, window, filled, &offset) {
        case .packet(let record): return record
        case .failed(let error): throw error
        case .needs(let count):
            needed = count
            return nil
        }
    }

    /// Position in the capture of the record after the packet that was read last.
    @inline(__always)
    var position: Int { parser.windowOffset &+ offset }

    /// Returns where the packet in the record at `position` starts in the window, without reading
    /// the record, and advances `position` past it. Returns nil if that is not known yet.
    @inline(__always)
    func peek(_ position: inout Int) -> (start: Int, linkType: LinkType)? {
        parser.peek(window.span.extracting(first: filled), &position)
    }

    /// Reads the missing bytes of the next packet. Returns false at the end of the capture.
    mutating func readMore() throws(CaptureError) -> Bool {
        if !hasEnded { try refill(needed) }
        return !hasEnded
    }

    @inline(__always)
    private static func step(
        _ parser: inout CaptureParser, _ window: [UInt8], _ filled: Int, _ offset: inout Int
    ) -> CaptureParser.Step {
        parser.next(window.span.extracting(first: filled), &offset)
    }

    /// Reads until at least `count` bytes are available at `offset`.
    @inline(never)
    private mutating func refill(_ count: Int) throws(CaptureError) {
        let held = filled - offset
        unsafe window.withUnsafeMutableBufferPointer { window in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: window[offset..<filled])
            _ = unsafe window.update(fromContentsOf: rest)
        }
        parser.moveWindow(by: offset)
        offset = 0
        filled = held
        if count > window.count {
            window += [UInt8](repeating: 0, count: CaptureParser.windowBytesMin - window.count)
        }
        while filled < count {
            let got = try fill()
            if got == 0 {
                if try source.openReplacement() {
                    restart()
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

    /// Restarts with a new capture, but continues the packet numbering.
    private mutating func restart() {
        restarts += 1
        var fresh = CaptureParser(file: parser.file)
        fresh.continueNumbers(of: parser)
        fresh.keys = parser.keys
        parser = fresh
        offset = 0
        filled = 0
    }

    private mutating func fill() throws(CaptureError) -> Int {
        var result: Result<Int, CaptureError> = .success(0)
        unsafe window.withUnsafeMutableBytes { window in
            let end = min(window.count, max(needed, filled + Self.readBytes))
            let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: window[filled..<end])
            do throws(CaptureError) {
                result = .success(unsafe try source.read(into: buffer))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}

/// A capture in memory.
package struct MemorySource: CaptureSource {
    private let bytes: [UInt8]
    private let pieceBytesMax: Int
    private var offset = 0

    /// Creates a source with these bytes.
    ///
    /// - Parameter pieceBytesMax: Maximum number of bytes per read.
    package init(_ bytes: [UInt8], pieceBytesMax: Int = .max) {
        self.bytes = bytes
        self.pieceBytesMax = max(1, pieceBytesMax)
    }

    package mutating func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) -> Int {
        let count = min(buffer.count, pieceBytesMax, bytes.count - offset)
        guard count > 0 else { return 0 }
        unsafe buffer.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
    }
}
