import DialectFiles
import Foundation
import Glibc

/// Where a report or a formatted file goes: a file, which is replaced as a whole, or a device or pipe, which
/// is written to and stays what it is.
struct OutputFile {
    /// Why it cannot be written, in words.
    struct Failure: Error, CustomStringConvertible {
        var description: String
        /// The number of the error; 0 if it has none.
        var code: CInt = 0

        init(_ description: String) { self.description = description }

        init(code: CInt) {
            self.init(SystemError.text(code))
            self.code = code
        }
    }

    /// How many links, each pointing to the next, are followed; as many as Linux follows.
    private static let linksMax = 40

    let path: String

    /// Whether the path is another name for standard output.
    static func isStandardOutput(_ path: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
    }

    /// Makes the folder if it is missing, and looks whether the file can be written there.
    func prepare() throws(Failure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure("the folder `\(folder)` cannot be made")
        }
        try check()
        try tryOut()
    }

    /// A report that finds no more room than this has none.
    static let roomBytes = 64 << 10

    /// Looks whether there is room, which only an attempt shows. What stands there stays as it is.
    private func tryOut() throws(Failure) {
        switch kind {
        case .folder: break
        case .special: try tryOutDevice()
        case .absent: try tryOutFolder()
        case .regular:
            do {
                if standardOutput == nil { try tryOutFolder() }
            } catch  where error.code == EACCES || error.code == EPERM {
                // The file itself can be written, as was found before.
            }
        }
    }

    /// A device that is full says so to whoever writes nothing; a pipe would take that for the end.
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

    /// Writes a file beside the one that there will be, and removes it.
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
        let written = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
        if written < 0 { throw Failure(code: errno) }
        if written < bytes.count { throw Failure(code: ENOSPC) }
    }

    /// Looks whether the file can be written there.
    func check() throws(Failure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        switch kind {
        case .absent: if unsafe access(folder, W_OK) != 0 { throw Failure(code: errno) }
        case .regular, .special: if unsafe access(path, W_OK) != 0 { throw Failure(code: errno) }
        case .folder: throw Failure("it is a folder")
        }
    }

    /// Writes all of it.
    func write(_ bytes: [UInt8]) throws(Failure) {
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

    // MARK: What stands there

    private enum Kind {
        case absent, regular, folder
        /// A device, a pipe or a socket; and whatever the system shows below `/dev` and `/proc`.
        case special
    }

    private var kind: Kind {
        guard let status = Self.status(path) else { return .absent }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .regular
        default: return .special
        }
    }

    /// The output that goes to this very file already, as with `> out.txt`: a new file in its place would
    /// take it away from whoever writes there.
    private var standardOutput: Output? {
        guard let own = Self.status(path) else { return nil }
        for (descriptor, output) in [(STDOUT_FILENO, Output.standard), (STDERR_FILENO, .error)] {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { continue }
            if status.st_dev == own.st_dev, status.st_ino == own.st_ino { return output }
        }
        return nil
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    // MARK: Writing

    /// Whoever looks into the folder sees the old file or the new one, with the same permissions, never
    /// half of it.
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
            throw Self.failure(error)
        }
    }

    /// Where the file is in the end: a link stays a link, even one whose target is not there yet.
    private var target: URL {
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

    private static func failure(_ error: any Error) -> Failure {
        let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
        if let code = (reason as? POSIXError)?.code { return Failure(code: code.rawValue) }
        return Failure(error.localizedDescription)
    }

    private func writeThrough(_ bytes: [UInt8]) throws(Failure) {
        // A pipe without a reader would hold the call for ever.
        let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw errno == ENXIO ? Failure("nobody reads from it") : Failure(code: errno)
        }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            } else if errno == EPIPE {
                throw Failure("whoever read from it has gone")
            } else if errno != EINTR {
                throw Failure(code: errno)
            }
        }
    }
}
