import Glibc

/// The keys of a terminal, as they are pressed.
///
/// While it is there, keys are neither shown nor gathered to lines; control-C stays what it is.
final class Keyboard: Sendable {
    private let before: termios

    /// nil where standard input is no terminal.
    init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            return nil
        }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    /// The terminal is as it was.
    func restore() {
        var settings = before
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// The keys that were pressed since the last time.
    func pressed() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLIN) != 0 else {
            return []
        }
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        }
        return Array(bytes.prefix(max(count, 0)))
    }
}
