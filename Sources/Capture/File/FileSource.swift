import Diagnostics
import Glibc

/// A capture source that reads from a file descriptor, which may belong to a file, a pipe or
/// standard input.
///
/// It uses read(2) rather than mmap(2), so that a file may safely change or shrink while it is
/// read, and so that memory use does not depend on the file size.
package struct FileSource: SampleableSource {
    private var descriptor: Int32
    private let path: String
    /// True if this source opened the descriptor for a replacement file and must therefore close
    /// it.
    private var isOwned = false
    private var position = 0
    private var hasReplacement = false
    /// Bytes that were read earlier to detect the file type.
    private var start: ArraySlice<UInt8>
    private let follows: Bool
    private let isStopped: @Sendable () -> Bool
    /// Polling interval for `isStopped`, in milliseconds.
    private static let waitMilliseconds: Int32 = 100

    /// Creates a source that reads from `descriptor`. The caller must close it.
    ///
    /// - Parameters:
    ///   - start: Bytes that were already read from the descriptor.
    ///   - follows: Whether to wait for more data at the end of the file.
    ///   - isStopped: Function that is called while waiting. When it returns true, the capture
    ///     ends.
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

    package mutating func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(CaptureError) -> Int {
        if !start.isEmpty {
            let count = min(start.count, buffer.count)
            unsafe buffer.copyBytes(from: start.prefix(count))
            start = start.dropFirst(count)
            return count
        }
        while true {
            guard waitUntilReadable() else { return 0 }
            let count = unsafe systemRead(descriptor, buffer)
            position += max(0, count)
            if count > 0 || count == 0 && !follows { return count }
            if count == 0 {
                // poll(2) does not detect that a file has grown.
                _ = poll(nil, 0, Self.waitMilliseconds)
                if isStopped() { return 0 }
                hasReplacement = isReplaced
                if hasReplacement { return 0 }
                continue
            }
            guard errno == EINTR || errno == EAGAIN else {
                throw CaptureError(.unreadable, "cannot read `\(path)`: \(SystemError(errno))")
            }
        }
    }

    /// True if the file was truncated, or if its path now refers to another file that is not empty.
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

    /// If the file was replaced, opens the file that the path now refers to, and returns true.
    package mutating func openReplacement() throws(CaptureError) -> Bool {
        guard hasReplacement else { return false }
        hasReplacement = false
        let fresh = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard fresh >= 0 else {
            let error = SystemError(errno)
            throw CaptureError(
                .unreadable, "`\(path)` was replaced, and the new file cannot be opened: \(error)")
        }
        if isOwned { _ = close(descriptor) }
        descriptor = fresh
        isOwned = true
        position = 0
        return true
    }

    /// True if a read would return immediately, either with bytes or at the end.
    package var isReady: Bool {
        var status = stat()
        if follows, unsafe start.isEmpty && fstat(descriptor, &status) == 0, Self.isFile(status) {
            // poll(2) always reports a file as readable, even at its end.
            return status.st_size > position
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe !start.isEmpty || poll(&request, 1, 0) != 0
    }

    /// Waits for data. Returns false if `isStopped` ended the wait.
    private func waitUntilReadable() -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, Self.waitMilliseconds)
            if isStopped() { return false }
            if ready != 0 { return true }
        }
    }

    private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }
}
