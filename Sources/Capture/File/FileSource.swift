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
package struct FileSource: SampleableSource {
    private var descriptor: Int32
    private let path: String
    /// A file that took the place of the first, to be closed when it ends.
    private var isOwned = false
    private var position = 0
    private var hasReplacement = false
    /// What was read before, to see what the file is.
    private var start: ArraySlice<UInt8>
    private let follows: Bool
    private let isStopped: @Sendable () -> Bool
    /// How long a wait lasts before it is looked whether an end is wanted, in milliseconds.
    private static let waitMilliseconds: Int32 = 100

    /// A source that reads from `descriptor`, which stays its owner's.
    ///
    /// - Parameters:
    ///   - start: bytes that were read from it already.
    ///   - follows: whether more is waited for at the file's end.
    ///   - isStopped: asked while nothing is there to be read; the capture ends once it is true.
    package init(
        descriptor: Int32, path: String, start: [UInt8] = [], follows: Bool = false,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.descriptor = descriptor
        self.path = path
        self.start = start[...]
        self.follows = follows
        self.isStopped = isStopped
    }

    /// Writes the next bytes into `room`.
    package mutating func read(
        into room: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) -> Int {
        if !start.isEmpty {
            let count = min(start.count, room.count)
            unsafe room.copyBytes(from: start.prefix(count))
            start = start.dropFirst(count)
            return count
        }
        while true {
            guard waitUntilReadable() else { return 0 }
            let count = unsafe systemRead(descriptor, room)
            position += max(0, count)
            if count > 0 || count == 0 && !follows { return count }
            if count == 0 {
                // A growing file: poll(2) tells nothing of it.
                _ = poll(nil, 0, Self.waitMilliseconds)
                if isStopped() { return 0 }
                hasReplacement = isReplaced
                if hasReplacement { return 0 }
                continue
            }
            guard errno == EINTR || errno == EAGAIN else {
                let reason = unsafe String(cString: strerror(errno))
                throw CaptureError(.unreadable, "`\(path)` cannot be read: \(reason)")
            }
        }
    }

    /// Whether the file became shorter than what was read, or its name is another file's.
    private var isReplaced: Bool {
        var mine = stat()
        guard unsafe fstat(descriptor, &mine) == 0, Self.isFile(mine) else { return false }
        if mine.st_size < position { return true }
        var named = stat()
        guard unsafe stat(path, &named) == 0, Self.isFile(named) else { return false }
        return (named.st_ino != mine.st_ino || named.st_dev != mine.st_dev) && named.st_size > 0
    }

    private static func isFile(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG
    }

    /// Goes to the start of the file that its name stands for now.
    package mutating func startsAnew() throws(CaptureError) -> Bool {
        guard hasReplacement else { return false }
        hasReplacement = false
        let fresh = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard fresh >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw CaptureError(
                .unreadable, "`\(path)` was replaced and cannot be read any more: \(reason)")
        }
        if isOwned { _ = close(descriptor) }
        descriptor = fresh
        isOwned = true
        position = 0
        return true
    }

    /// Whether something can be read now, or the end is reached.
    package var isReady: Bool {
        var status = stat()
        if follows, unsafe start.isEmpty && fstat(descriptor, &status) == 0, Self.isFile(status) {
            // poll(2) calls a file readable at its end, too.
            return status.st_size > position
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe !start.isEmpty || poll(&request, 1, 0) != 0
    }

    /// Waits; false if an end is wanted.
    private func waitUntilReadable() -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, Self.waitMilliseconds)
            if isStopped() { return false }
            if ready != 0 { return true }
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
