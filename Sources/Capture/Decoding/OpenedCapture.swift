package import Console
import Diagnostics
import Glibc
package import Results

/// An open capture file. If it is compressed, it is decompressed while it is read.
package struct OpenedCapture {
    /// Compression format of a capture file.
    package enum Packing: String {
        case gzip, zstd

        /// Detects the format from the first four bytes of a file.
        fileprivate init?(_ start: [UInt8]) {
            if start.starts(with: [0x1F, 0x8B]) {
                self = .gzip
            } else if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
                self = .zstd
            } else {
                return nil
            }
        }
    }

    package let path: String
    package let descriptor: Int32
    package let packing: Packing?
    /// Bytes already read from a pipe to detect the compression.
    package let taken: [UInt8]
    /// The first bytes of the file.
    private let start: [UInt8]

    /// Opens the file, or standard input for `-`.
    package init(_ path: String) throws(CommandFailure) {
        self.path = path == "-" ? "<stdin>" : path
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .noInput, .noFile, "cannot read `\(path)`: \(SystemError(errno))")
        }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw CommandFailure(
                .noInput, .noFile, "`\(path)` is a folder, not a capture")
        }
        let areTaken: Bool
        (start, areTaken) = Self.peek(descriptor)
        taken = areTaken ? start : []
        packing = Packing(start)
    }

    /// Returns whether a regular file is a capture or compressed, according to its first bytes.
    package static func isCapture(_ path: String) -> Bool {
        // What is read from a pipe could not be read again.
        guard CaptureFileSet.isRegular(path) else { return false }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        let start = peek(descriptor).bytes
        guard Packing(start) == nil, start.count >= 4 else { return Packing(start) != nil }
        return CaptureParser.isCapture(start)
    }

    /// The reason why nothing in a regular file can be decoded, as far as its first bytes show; nil
    /// if there is none.
    var errorAtStart: CaptureError? {
        if let packing {
            return UnpackProcess.isInstalled(packing)
                ? nil : UnpackProcess.notInstalled(packing, path)
        }
        guard start.count >= 4, !CaptureParser.isCapture(start) else { return nil }
        return CaptureParser.unknownStart(start.span, 0)
    }

    /// Closes the file, unless it is standard input.
    package func close() {
        if descriptor != STDIN_FILENO { _ = Glibc.close(descriptor) }
    }

    /// Returns the first bytes of a file, and whether they have been consumed, as is the case for a
    /// pipe.
    private static func peek(_ descriptor: Int32) -> (bytes: [UInt8], areTaken: Bool) {
        var bytes = [UInt8](repeating: 0, count: 8)
        var count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let isFile = count >= 0
        if !isFile { count = unsafe read(descriptor, &bytes, bytes.count) }
        return (Array(bytes.prefix(max(0, count))), !isFile)
    }

    /// Calls `body` with a descriptor to read the uncompressed capture from, and with any bytes
    /// already read from that descriptor. `body` runs on a separate thread, because reading may
    /// block.
    ///
    /// - Returns: The result of `body`, and the reason the file could not be decompressed
    ///   completely; nil if it could, or if the job was stopped.
    package func decode<Result: Sendable>(
        isStopped: SharedFlag, _ body: @escaping @Sendable (Int32, [UInt8]) -> Result
    ) async throws(CommandFailure) -> (result: Result, damage: CommandFailure?) {
        guard let packing else {
            return (await onThread("decode") { body(descriptor, taken) }, nil)
        }
        return try await onThread("decode") { () -> Swift.Result<_, CommandFailure> in
            do throws(CaptureError) {
                let process = try UnpackProcess(packing, path, input: descriptor, taken: taken)
                let result = body(process.output, [])
                let damage = process.finish(isStopped: isStopped.isSet)
                return .success(
                    (result, damage.map { CommandFailure(.failed, Diagnosed($0.diagnostic)) }))
            } catch {
                return .failure(CommandFailure(.noInput, Diagnosed(error.diagnostic)))
            }
        }.get()
    }
}
