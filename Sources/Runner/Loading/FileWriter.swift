import DialectFiles
import Glibc

/// A writer that replaces files atomically.
enum FileWriter {
    /// The reason a file cannot be written.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        /// The failure for the current value of `errno`.
        static var last: Failure { Failure(description: SystemError.text(errno)) }
    }

    /// Writes a temporary file and renames it, so that readers never see a partial file.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let temporary = "\(path).\(getpid()).new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .last }
        let isWritten = writeAll(bytes, descriptor)
        let failure = Failure.last
        close(descriptor)
        guard isWritten else {
            _ = unsafe unlink(temporary)
            throw failure
        }
        guard unsafe rename(temporary, path) == 0 else { throw .last }
    }

    /// Writes all bytes to an open file. Returns false on failure.
    static func writeAll(_ bytes: [UInt8], _ descriptor: CInt) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            written += count
        }
        return true
    }
}
