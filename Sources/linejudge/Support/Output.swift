import DialectFiles
import Glibc
import Synchronization

/// Standard output or standard error.
///
/// If the reader of standard output goes away (`linejudge … | head`), further text is dropped and the
/// command ends as soon as possible, with 0. After another error, such as a full disk, further text is
/// dropped, too, but the command continues, so that its reports are written, and ends with 70.
final class Output: Sendable {
    static let standard = Output(descriptor: STDOUT_FILENO)
    static let error = Output(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    private let broken = Atomic(false)
    /// The `errno` of a failed write; 0 for none.
    private let failureCode = Atomic<Int32>(0)
    private let onBreak = Mutex<[@Sendable () -> Void]>([])

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the reader has closed the pipe.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// Why text could not be written, other than a closed pipe; nil if all was written.
    var failure: String? {
        let code = failureCode.load(ordering: .acquiring)
        if code == 0 { return nil }
        return code == EBADF ? "it is closed" : SystemError.text(code)
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal; nil if the output is not a terminal.
    var columns: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        let found = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return found && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Calls `action` when the reader closes the pipe; at once if it already has.
    func whenBroken(_ action: @escaping @Sendable () -> Void) {
        onBreak.withLock { $0.append(action) }
        if isBroken { action() }
    }

    func write(_ text: String) {
        write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe write($0) }
    }

    /// Writes all bytes, or drops them after an error.
    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty, !isBroken, failure == nil {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            let written = unsafe Glibc.write(descriptor, part.baseAddress, part.count)
            if written >= 0 {
                unsafe rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno == EPIPE || errno == ECONNRESET {
                breakOff()
            } else if errno != EINTR {
                failureCode.store(errno, ordering: .releasing)
            }
        }
    }

    /// Waits for a pipe that another process has made non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
    }

    private func breakOff() {
        broken.store(true, ordering: .releasing)
        for action in onBreak.withLock({ $0 }) { action() }
    }
}
