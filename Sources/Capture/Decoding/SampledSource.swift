/// A source whose first bytes are sampled to detect dialects.
struct SampledSource<Source: SampleableSource>: CaptureSource {
    private(set) var sample: [UInt8] = []
    private var given = 0
    private var source: Source

    init(_ source: Source) { self.source = source }

    var isFull: Bool { sample.count >= DialectSearch.sampleBytesMax }

    mutating func openReplacement() throws(CaptureError) -> Bool { try source.openReplacement() }

    /// True if reading would not block.
    var isReady: Bool { source.isReady }

    /// Reads more bytes into the sample. Returns false at the end of the capture.
    mutating func readMore() throws(CaptureError) -> Bool {
        var room = [UInt8](repeating: 0, count: DialectSearch.sampleBytesMax - sample.count)
        var result: Result<Int, CaptureError> = .success(0)
        unsafe room.withUnsafeMutableBytes { room in
            do throws(CaptureError) {
                result = .success(unsafe try source.read(into: room))
            } catch {
                result = .failure(error)
            }
        }
        let count = try result.get()
        sample += room.prefix(count)
        return count > 0
    }

    mutating func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        guard given < sample.count else { return unsafe try source.read(into: room) }
        let count = min(room.count, sample.count - given)
        unsafe room.copyBytes(from: sample[given..<(given + count)])
        given += count
        return count
    }
}
