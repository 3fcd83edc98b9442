import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
    /// Fills the places of those that were closed when the process began (`>&-`), the wrong way round, so
    /// that whoever uses them gets an error. A socket that took the place of standard output would get the
    /// report.
    static func hold() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // The lowest free number is taken: this one.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
