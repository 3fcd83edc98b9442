import Glibc

/// Keyboard input from the terminal, read key by key and without echo. Ctrl-C still works.
package final class Keyboard: Sendable {
    private let before: termios

    /// Prepares the terminal; returns nil if standard input is not a terminal.
    package init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            return nil
        }
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    /// Restores the terminal's settings.
    package func restore() {
        var settings = before
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Returns the keys pressed since the last call.
    package func pressed() -> [UInt8] {
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
