import Glibc

/// The descriptors of standard input, output and error.
package enum StandardDescriptors {
    /// Reopens descriptors that were closed when the process started (`>&-`). They are opened in
    /// the wrong direction, so that using them fails. Otherwise, a socket could get the number of
    /// standard output, and would receive the report.
    package static func hold() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // `open` returns the lowest free number, which is this descriptor.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
