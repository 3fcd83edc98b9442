import Diagnostics
import Glibc

/// Reader for text files such as scenarios and dialects. Only regular files of limited size are
/// accepted, because reading from a device or a named pipe could block or never end.
package enum TextFile {
    /// The reason a text file cannot be read.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of failure.
        package enum Reason: Sendable, Hashable {
            /// The file does not exist.
            case missing
            /// The file is a folder, device, pipe or socket.
            case notRegular
            /// The system denied access or reported another error.
            case unreadable
        }

        package var reason: Reason
        /// Description that completes the sentence "cannot read `path`: …".
        package var description: String
    }

    private static let stepBytesMax = 64 << 10

    /// Returns the bytes of a regular file, but at most `bytesMax + 1` of them, so that the caller
    /// can detect that a file is too large.
    ///
    /// - Parameter root: a folder that links must not lead out of; see ``LinkPolicy``. If nil, all
    ///   links are followed.
    package static func read(
        _ path: String, within root: String? = nil, bytesMax: Int
    ) throws(Failure) -> [UInt8] {
        if let root { try LinkPolicy.check(path, within: root) }
        // Without O_NONBLOCK, opening a named pipe would block until there is a writer.
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

    /// Returns the bytes of standard input, at most `bytesMax + 1` of them.
    package static func readStandardInput(bytesMax: Int) throws(Failure) -> [UInt8] {
        try read(descriptor: STDIN_FILENO, bytesMax: bytesMax)
    }

    /// Describes a file that is not a regular file, such as `a named pipe` or `a folder`. Returns
    /// nil for a regular or missing file.
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
        return Failure(reason: reason, description: SystemError(code).description)
    }
}
