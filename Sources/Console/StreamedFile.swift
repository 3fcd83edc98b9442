import FoundationEssentials
import Glibc

/// A binary output file that is written in pieces, without masking secrets.
///
/// The pieces of a regular file are written to a temporary file in the same folder, which replaces
/// the file when ``commit()`` is called. A device or pipe is written to directly.
package final class StreamedFile {
    /// Number of attempts to find an unused name for the temporary file.
    private static let attemptsMax = 100

    private let descriptor: CInt
    /// The path of the temporary file and of the file that it replaces; nil for a device or pipe.
    private let replacement: (temporary: String, target: String)?

    /// Creates the temporary file, or opens the device or pipe. The caller must call either
    /// ``commit()`` or ``discard()``.
    package init(_ file: OutputFile) throws(OutputFile.Failure) {
        switch file.kind {
        case .folder: throw OutputFile.Failure("it is a folder")
        case .special:
            descriptor = try file.openSpecial()
            replacement = nil
        case .absent, .regular:
            let target = file.target
            let opened = try Self.openTemporary(in: target.deletingLastPathComponent().path)
            descriptor = opened.descriptor
            replacement = (opened.path, target.path)
            // The new file has the permissions of the one that it replaces.
            if let status = OutputFile.status(target.path) {
                fchmod(descriptor, status.st_mode & 0o7777)
            }
        }
    }

    private static func openTemporary(
        in folder: String
    ) throws(OutputFile.Failure) -> (path: String, descriptor: CInt) {
        for attempt in 0..<attemptsMax {
            let path = "\(folder)/.linejudge-\(getpid())-\(attempt)"
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (path, descriptor) }
            guard errno == EEXIST else { break }
        }
        throw OutputFile.Failure(code: errno)
    }

    package func write(_ bytes: [UInt8]) throws(OutputFile.Failure) {
        try OutputFile.writeAll(bytes, to: descriptor)
    }

    /// Closes the file. A temporary file then replaces the target.
    package func commit() throws(OutputFile.Failure) {
        let isClosed = close(descriptor) == 0
        let code = errno
        guard let replacement else { return }
        if isClosed, unsafe rename(replacement.temporary, replacement.target) == 0 { return }
        let failure = OutputFile.Failure(code: isClosed ? errno : code)
        unsafe unlink(replacement.temporary)
        throw failure
    }

    /// Closes and removes the temporary file.
    package func discard() {
        close(descriptor)
        if let replacement { unsafe unlink(replacement.temporary) }
    }
}
