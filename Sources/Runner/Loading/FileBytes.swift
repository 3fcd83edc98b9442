import FoundationEssentials
import Glibc

/// Reads and writes whole files, of a bounded size.
enum FileBytes {
    /// Why a file cannot be read or written, in words.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        /// The reason that the C library gave last.
        static var last: Failure {
            let code = errno
            guard let text = unsafe strerror(code) else { return Failure(description: "\(code)") }
            return Failure(description: unsafe String(cString: text))
        }
    }

    /// The bytes of a file, one more than `bytesMax` at most, so that the caller sees that there are
    /// more. `-` is standard input.
    static func read(_ path: String, _ bytesMax: Int) throws(Failure) -> [UInt8] {
        if path == "-" { return try read(descriptor: STDIN_FILENO, bytesMax) }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, bytesMax)
    }

    private static func read(descriptor: CInt, _ bytesMax: Int) throws(Failure) -> [UInt8] {
        let stepMax = 64 << 10
        var bytes: [UInt8] = []
        var step = [UInt8](repeating: 0, count: stepMax)
        while bytes.count <= bytesMax {
            let wanted = min(stepMax, bytesMax + 1 - bytes.count)
            let count = unsafe step.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            bytes += step[..<count]
        }
        return bytes
    }

    /// Writes a file through a temporary one beside it, so that nobody reads half of it.
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

    /// Writes all bytes to an open file; false if that fails.
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
