import Diagnostics
import FoundationEssentials
import Glibc

/// Destination of a report or other output. A regular file is replaced atomically; a device or pipe
/// is written to directly.
package struct OutputFile {
    /// The reason an output file cannot be written.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
        /// The `errno` of the failure; 0 if there is none.
        package var code: CInt = 0

        package init(_ description: String) { self.description = description }

        package init(code: CInt) {
            self.init(SystemError(code).description)
            self.code = code
        }

        /// Extracts the reason from an error thrown by `FileManager` or `Data`.
        package init(_ error: any Error) {
            let reason = (error as? CocoaError)?.underlying ?? error
            if let code = (reason as? POSIXError)?.code {
                self.init(code: code.rawValue)
            } else {
                self.init("\(reason)")
            }
        }
    }

    /// Maximum number of symbolic links to follow, as in Linux.
    private static let linksMax = 40

    package let path: String

    package init(path: String) { self.path = path }

    package static func isStandardOutput(_ path: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
    }

    /// Creates the folder if necessary and checks that the file can be written.
    package func prepare() throws(Failure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure("cannot create folder `\(folder)`")
        }
        try check()
        try tryOut()
    }

    /// Free disk space required, in bytes.
    package static let roomBytes = 64 << 10

    /// Writes a temporary file to check that there is free space. An existing file is not changed.
    private func tryOut() throws(Failure) {
        switch kind {
        case .folder: break
        case .special: try tryOutDevice()
        case .absent: try tryOutFolder()
        case .regular:
            do {
                if standardOutput == nil { try tryOutFolder() }
            } catch  where error.code == EACCES || error.code == EPERM {
                // The folder is not writable, but the file itself may be.
            }
        }
    }

    /// Checks a device with an empty write. Pipes are not checked, because the reader could mistake
    /// an empty write for the end of the data.
    private func tryOutDevice() throws(Failure) {
        guard let status = Self.status(path), status.st_mode & S_IFMT == S_IFCHR else { return }
        let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        let nothing: [UInt8] = [0]
        let written = unsafe nothing.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, 0)
        }
        if written < 0, errno != EAGAIN { throw Failure(code: errno) }
    }

    /// Writes and removes a temporary file in the same folder.
    private func tryOutFolder() throws(Failure) {
        let folder = target.deletingLastPathComponent().path
        var name = Array("\(folder)/.linejudge-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer {
            unsafe unlink(&name)
            close(descriptor)
        }
        let bytes = [UInt8](repeating: 0, count: Self.roomBytes)
        try Self.writeAll(bytes, to: descriptor)
    }

    /// Checks that the file, or the folder in which it would be created, is writable.
    private func check() throws(Failure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        switch kind {
        case .absent: if unsafe access(folder, W_OK) != 0 { throw Failure(code: errno) }
        case .regular, .special: if unsafe access(path, W_OK) != 0 { throw Failure(code: errno) }
        case .folder: throw Failure("it is a folder")
        }
    }

    /// Writes the file. Secrets are masked.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try writeUnmasked(Redaction.masked(bytes))
    }

    /// Writes the file without masking secrets, for files that contain none or belong to the user.
    package func writeUnmasked(_ bytes: [UInt8]) throws(Failure) {
        switch kind {
        case .folder: throw Failure("it is a folder")
        case .special: try writeThrough(bytes)
        case .absent, .regular:
            if let output = standardOutput {
                output.write(bytes)
            } else {
                try replace(bytes)
            }
        }
    }

    /// Appends to the file, creating it if necessary. Secrets are masked.
    package func append(_ bytes: [UInt8]) throws(Failure) {
        let bytes = Redaction.masked(bytes)
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        let written = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
        if written < 0 { throw Failure(code: errno) }
        if written < bytes.count { throw Failure(code: ENOSPC) }
    }

    // MARK: The existing file

    enum Kind {
        case absent, regular, folder
        /// A device, pipe or socket, including those under `/dev` and `/proc`.
        case special
    }

    var kind: Kind {
        guard let status = Self.status(path) else { return .absent }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .regular
        default: return .special
        }
    }

    /// True if writing the file replaces it as a whole.
    package var isReplaceable: Bool {
        switch kind {
        case .absent, .regular: standardOutput == nil
        case .folder, .special: false
        }
    }

    /// Standard output or standard error if it is redirected to this file, as in `> out.txt`;
    /// otherwise nil. Replacing the file would lose that output.
    private var standardOutput: Output? {
        guard let own = Self.status(path) else { return nil }
        for (descriptor, output) in [(STDOUT_FILENO, Output.standard), (STDERR_FILENO, .error)] {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { continue }
            if status.st_dev == own.st_dev, status.st_ino == own.st_ino { return output }
        }
        return nil
    }

    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    // MARK: Writing

    /// Replaces the file atomically. The new file has the permissions of the old one.
    private func replace(_ bytes: [UInt8]) throws(Failure) {
        let files = FileManager.default
        let target = target
        do {
            let mode = try? files.attributesOfItem(atPath: target.path)[.posixPermissions]
            try Data(bytes).write(to: target, options: .atomic)
            if let mode {
                try files.setAttributes([.posixPermissions: mode], ofItemAtPath: target.path)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// The file after following symbolic links. It may not exist yet.
    var target: URL {
        var target = URL(filePath: path).resolvingSymlinksInPath()
        for _ in 0..<Self.linksMax {
            let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path)
            guard let link else { break }
            target =
                URL(filePath: link, relativeTo: target.deletingLastPathComponent())
                .absoluteURL
        }
        return target
    }

    private func writeThrough(_ bytes: [UInt8]) throws(Failure) {
        let descriptor = try openSpecial()
        defer { close(descriptor) }
        try Self.writeAll(bytes, to: descriptor)
    }

    /// Opens a device or pipe for writing. Returns the descriptor.
    func openSpecial() throws(Failure) -> CInt {
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENXIO ? Failure("the pipe has no reader") : Failure(code: errno)
        }
        return descriptor
    }

    /// How long to wait for a pipe's reader before a write fails, in milliseconds.
    package static let stallMillisecondsMax = 10_000
    /// Like ``stallMillisecondsMax``, but applies once the command has been requested to end.
    package static let stallMillisecondsMaxAtEnd = 1_000
    private static let pollMilliseconds = 100

    /// Waits until the descriptor accepts data.
    private static func waitUntilWritable(_ descriptor: Int32) throws(Failure) {
        var waited = 0
        while waited
            < (Interruptions.isRequested ? stallMillisecondsMaxAtEnd : stallMillisecondsMax)
        {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if unsafe poll(&request, 1, Int32(pollMilliseconds)) > 0 { return }
            waited += pollMilliseconds
        }
        throw Failure("the pipe's reader has stopped reading")
    }

    /// Writes all bytes, as they are. Throws if a pipe's reader stops reading.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                try waitUntilWritable(descriptor)
            } else if errno == EPIPE {
                throw Failure("the reader has closed the pipe")
            } else if errno != EINTR {
                throw Failure(code: errno)
            }
        }
    }
}
