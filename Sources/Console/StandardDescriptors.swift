import Glibc

/// The descriptors of standard input, output and error.
package enum StandardDescriptors {
    /// Opens `/dev/null` for each descriptor that was closed when the process started (`>&-`).
    /// Otherwise, a socket could get the number of standard output and receive the report. The
    /// descriptors are opened in the wrong direction, so that using one of them fails.
    package static func hold() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // `open` uses the lowest free number, which is the number of this descriptor.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
