import Diagnostics
import Glibc
import Synchronization

/// Standard output or standard error.
///
/// If the reader of standard output closes the pipe (`linejudge … | head`), any further text is
/// dropped, and the command ends as soon as possible with exit code 0. After any other error, such
/// as a full disk, text is also dropped, but the command continues so that its reports are written,
/// and then exits with code 70.
package final class Output: Sendable {
    package static let standard = Output(descriptor: STDOUT_FILENO)
    package static let error = Output(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    private let broken = Atomic(false)
    /// The `errno` of a failed write; 0 if none failed.
    private let failureCode = Atomic<Int32>(0)
    private let onBreak = Mutex<[@Sendable () -> Void]>([])

    /// Filter that disables workflow commands; nil if no CI runner would execute them.
    private let filter = Mutex<WorkflowCommandFilter?>(nil)
    private let plain = Atomic(false)

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// True if the reader has closed the pipe.
    package var isBroken: Bool { broken.load(ordering: .acquiring) }

    /// The reason some text could not be written; nil if all text was written or if the reader
    /// closed the pipe.
    package var failure: String? {
        let code = failureCode.load(ordering: .acquiring)
        if code == 0 { return nil }
        return code == EBADF ? "it is closed" : SystemError(code).description
    }

    package var isTerminal: Bool { !plain.load(ordering: .acquiring) && isatty(descriptor) == 1 }

    /// Treats the output as a log, without cursor movement, even on a terminal, because CI systems
    /// may save it.
    package func becomePlain() { plain.store(true, ordering: .releasing) }

    /// Disables workflow commands in all further text. Files are not filtered, because CI runners
    /// do not read them.
    package func beginFilter() {
        var status = stat()
        let isFile =
            unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if !isFile { filter.withLock { $0 = WorkflowCommandFilter() } }
    }

    /// The width of the terminal in columns; nil if the output is not a terminal.
    package var columns: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        let found = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return found && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Calls `action` when the reader closes the pipe, or immediately if it already has.
    package func whenBroken(_ action: @escaping @Sendable () -> Void) {
        onBreak.withLock { $0.append(action) }
        if isBroken { action() }
    }

    package func write(_ text: String) {
        write(Array(text.utf8))
    }

    package func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe write($0) }
    }

    /// Writes Linejudge's own workflow commands, which must not be filtered.
    package func writeUnfiltered(_ commands: String) {
        let bytes = Redaction.masked(Array(commands.utf8))
        unsafe bytes.withUnsafeBytes { unsafe writeAll($0) }
    }

    /// Writes binary data without masking secrets. Drops it if an error has occurred.
    package func writeUnmasked(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe writeAll($0) }
    }

    /// Writes all bytes with secrets masked. Drops them if an error has occurred.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        if let masked = unsafe Redaction.masked(bytes) {
            unsafe masked.withUnsafeBytes { unsafe writeFiltered($0) }
        } else {
            unsafe writeFiltered(bytes)
        }
    }

    private func writeFiltered(_ bytes: UnsafeRawBufferPointer) {
        let filtered = filter.withLock { filter in unsafe filter?.filtered(bytes) }
        guard let filtered else { return unsafe writeAll(bytes) }
        unsafe filtered.withUnsafeBytes { unsafe writeAll($0) }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) {
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

    /// Waits until the output accepts data, in case another process has made the pipe non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, -1)
    }

    private func breakOff() {
        broken.store(true, ordering: .releasing)
        for action in onBreak.withLock({ $0 }) { action() }
    }
}
