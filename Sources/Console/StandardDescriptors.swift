import Glibc

/// Standard input, output and error.
package enum StandardDescriptors {
    /// Reopens those that were closed when the process started (`>&-`), in the wrong direction, so that
    /// using them fails. Otherwise a socket could get the number of standard output, and the report.
    package static func hold() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // Returns the lowest free number, which is this one.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
