#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads a capture from a descriptor: a file, a pipe, standard input.
///
/// Reading beats mapping here: a file that is written to or cut meanwhile does no harm, and the memory
/// taken stays the same whatever its size.
public struct FileSource: CaptureSource {
    private let descriptor: Int32
    private let path: String
    /// What was read before, to see what the file is.
    private var start: ArraySlice<UInt8> = []

    /// A source that reads from `descriptor`, which stays its owner's; `start` are bytes that were read from
    /// it already.
    public init(descriptor: Int32, path: String, start: [UInt8] = []) {
        self.descriptor = descriptor
        self.path = path
        self.start = start[...]
    }

    /// Writes the next bytes into `room`.
    public mutating func read(
        into room: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) -> Int {
        if !start.isEmpty {
            let count = min(start.count, room.count)
            unsafe room.copyBytes(from: start.prefix(count))
            start = start.dropFirst(count)
            return count
        }
        while true {
            let count = unsafe systemRead(descriptor, room)
            if count >= 0 { return count }
            guard errno == EINTR else {
                let reason = unsafe String(cString: strerror(errno))
                throw CaptureError(.unreadable, "`\(path)` cannot be read: \(reason)")
            }
        }
    }

    private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        #elseif canImport(Musl)
            unsafe Musl.read(descriptor, room.baseAddress, room.count)
        #else
            unsafe Darwin.read(descriptor, room.baseAddress, room.count)
        #endif
    }
}
