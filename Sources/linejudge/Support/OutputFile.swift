import DialectFiles
import Foundation
import Glibc

/// Where a report or a formatted file goes: a file, which is replaced as a whole, or a device or pipe, which
/// is written to and stays what it is.
struct OutputFile {
    /// Why it cannot be written, in words.
    struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ description: String) { self.description = description }

        init(code: CInt) { self.init(SystemError.text(code)) }
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
