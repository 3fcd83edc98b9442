import Glibc

/// Reads files that people wrote, such as scenarios and dialects: regular files of a bounded size.
///
/// A device or a named pipe in their place could keep a reader waiting for ever, or feed it for ever.
package enum TextFile {
    /// Why a file cannot be read.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is the matter.
        package enum Reason: Sendable, Hashable {
            /// There is nothing at that path.
            case missing
            /// It is a folder, a device, a pipe or a socket.
            case notRegular
            /// The system refuses.
            case unreadable
        }

        /// What is the matter.
        package var reason: Reason
        /// The same in words that fit behind “`path` cannot be read: ”.
        package var description: String
    }

    private static let stepBytesMax = 64 << 10

    /// The bytes of a regular file, one more than `bytesMax` at most, so that the caller sees that
    /// there are more.
    package static func read(_ path: String, bytesMax: Int) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK the call would wait for a writer at the other end of a named pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno) }
        if let kind = kind(status.st_mode) {
            throw Failure(reason: .notRegular, description: "it is \(kind), not a file")
        }
        return try read(descriptor: descriptor, bytesMax: bytesMax)
    }

    /// The bytes of standard input, whatever that is; one more than `bytesMax` at most.
    package static func readStandardInput(bytesMax: Int) throws(Failure) -> [UInt8] {
        try read(descriptor: STDIN_FILENO, bytesMax: bytesMax)
    }

    /// What stands at a path, if it is there and no regular file: `a named pipe`, `a folder`.
    package static func kindUnlessRegular(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return kind(status.st_mode)
    }

    private static func kind(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFDIR: "a folder"
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }

    private static func read(descriptor: CInt, bytesMax: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var step = [UInt8](repeating: 0, count: stepBytesMax)
        while bytes.count <= bytesMax {
            let wanted = min(stepBytesMax, bytesMax + 1 - bytes.count)
            let count = unsafe step.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            bytes += step[..<count]
        }
        return bytes
    }

    private static func failure(_ code: CInt) -> Failure {
        let reason: Failure.Reason = code == ENOENT || code == ENOTDIR ? .missing : .unreadable
        return Failure(reason: reason, description: SystemError.text(code))
    }
}

/// The words of the C library for what went wrong.
package enum SystemError {
    /// `No space left on device`.
    package static func text(_ code: CInt) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
