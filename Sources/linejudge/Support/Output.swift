import DialectFiles
import Glibc
import Synchronization

/// A descriptor that text is written to.
///
/// When the reader of standard output has gone (`linejudge … | head`), nobody is left to talk to: what is
/// written afterwards is dropped, and the command ends as soon as it can, with 0. When it cannot be written
/// for another reason, such as a full disk, the rest is dropped, too, and the command goes on, for its
/// reports' sake, and ends with 70.
final class Output: Sendable {
    static let standard = Output(descriptor: STDOUT_FILENO)
    static let error = Output(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    private let broken = Atomic(false)
    /// The number of the error that keeps text from being written; 0: none.
    private let failureCode = Atomic<Int32>(0)
    private let onBreak = Mutex<[@Sendable () -> Void]>([])

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the reader has gone.
    var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// Why text could not be written, other than that the reader has gone; nil if all could.
    var failure: String? {
        let code = failureCode.load(ordering: .acquiring)
        if code == 0 { return nil }
        return code == EBADF ? "it is closed" : SystemError.text(code)
    }

    /// Whether a person sits at the other end.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The width of the terminal; nil if it is none.
    var columns: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        let found = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return found && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Has this done when the reader goes; at once if it has gone already.
    func whenBroken(_ action: @escaping @Sendable () -> Void) {
        onBreak.withLock { $0.append(action) }
        if isBroken { action() }
    }

    /// Writes the whole text.
    func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe write($0) }
    }

    /// Writes all bytes.
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

    /// A pipe that was made non-blocking by whoever shares it.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
    }

    private func breakOff() {
        broken.store(true, ordering: .releasing)
        for action in onBreak.withLock({ $0 }) { action() }
    }
}
