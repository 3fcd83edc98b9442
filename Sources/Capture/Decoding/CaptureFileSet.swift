package import Console
package import Diagnostics
import Glibc
package import Results

/// Capture files that are read as one stream. Unlike a pipe, they can be read more than once.
package struct CaptureFileSet: Sendable {
    /// The readable files in the order given, without repetitions.
    package let paths: [String]
    /// Errors for files that cannot be read, and notes about files that were given more than once.
    package let problems: [Diagnostic]

    /// The identity of a file, independent of its path.
    private struct Identity: Hashable {
        var device: dev_t
        var number: ino_t
    }

    /// Checks which of the files can be read. Throws if none can, or if one is a pipe or a device.
    package init(_ given: [String]) throws(CommandFailure) {
        guard given.count <= MergeOrder.filesMax else {
            throw CommandFailure(
                .usage, .badOption,
                "too many capture files; the maximum is \(MergeOrder.filesMax)",
                help: "concatenate them: cat FILES | linejudge decode -")
        }
        var paths: [String] = []
        var problems: [Diagnostic] = []
        var known: [Identity: String] = [:]
        for path in given {
            guard let identity = try Self.check(path, &problems) else { continue }
            if let other = known[identity] {
                problems.append(
                    Diagnostic(
                        .note, "capture.repeated-file",
                        "`\(path)` is the same file as `\(other)` and is read only once"))
            } else {
                known[identity] = path
                paths.append(path)
            }
        }
        guard !paths.isEmpty else { throw CommandFailure(.noInput, Diagnosed(problems)) }
        self.paths = paths
        self.problems = problems
    }

    /// True if at least one of the files cannot be read.
    package var isIncomplete: Bool { problems.contains { $0.severity == .error } }

    /// Returns whether the path refers to a regular file, which can be read more than once.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the file's identity. If it cannot be read, adds the reason to `problems` and returns
    /// nil.
    private static func check(
        _ path: String, _ problems: inout [Diagnostic]
    ) throws(CommandFailure) -> Identity? {
        var status = stat()
        let isFound = unsafe stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if isFound, kind != S_IFREG, kind != S_IFDIR {
            throw CommandFailure(
                .usage, .badOption,
                "`\(path)` is a pipe or device; it can only be decoded on its own",
                help: "save its data to a file first")
        }
        do {
            let opened = try OpenedCapture(path)
            defer { opened.close() }
            // The other files may take long to decode.
            if let error = opened.errorAtStart {
                problems.append(error.inFile(path).diagnostic)
                return nil
            }
            return Identity(device: status.st_dev, number: status.st_ino)
        } catch {
            problems += error.diagnostics
            return nil
        }
    }

    /// Calls `body` with access to the files. `body` runs on a separate thread, because reading may
    /// block.
    package func decode<Result: Sendable>(
        isStopped: SharedFlag, _ body: @escaping @Sendable (any CaptureAccess) -> Result
    ) async -> Result {
        await onThread("decode") {
            let access = FileAccess(paths, isStopped)
            defer { access.closeAll() }
            return body(access)
        }
    }
}

/// Access to capture files by path. Compressed files are decompressed while they are read.
private final class FileAccess: CaptureAccess {
    /// An open file.
    private enum OpenFile {
        case plain(CInt)
        case packed(UnpackProcess)
    }

    private let paths: [String]
    private let isStopped: SharedFlag
    private var openFiles: [Int: OpenFile] = [:]

    init(_ paths: [String], _ isStopped: SharedFlag) {
        self.paths = paths
        self.isStopped = isStopped
    }

    var count: Int { paths.count }

    func open(_ file: Int) throws(CaptureError) -> any CaptureSource {
        let opened: OpenedCapture
        do {
            opened = try OpenedCapture(paths[file])
        } catch {
            let message = error.diagnostics.first?.message ?? "cannot read `\(paths[file])`"
            throw CaptureError(.unreadable, message)
        }
        let stop = isStopped
        guard let packing = opened.packing else {
            openFiles[file] = .plain(opened.descriptor)
            return FileSource(
                descriptor: opened.descriptor, path: opened.path, isStopped: { stop.isSet })
        }
        defer { opened.close() }
        let process = try UnpackProcess(packing, opened.path, input: opened.descriptor)
        openFiles[file] = .packed(process)
        return UnpackedSource(
            source: FileSource(
                descriptor: process.output, path: opened.path, isStopped: { stop.isSet }),
            process: process, isStopped: isStopped)
    }

    func close(_ file: Int) {
        switch openFiles.removeValue(forKey: file) {
        case .plain(let descriptor): _ = Glibc.close(descriptor)
        case .packed(let process): process.close()
        case nil: break
        }
    }

    func closeAll() {
        for file in Array(openFiles.keys) { close(file) }
    }
}

/// The output of a process that decompresses a capture.
private struct UnpackedSource: CaptureSource {
    var source: FileSource
    let process: UnpackProcess
    let isStopped: SharedFlag

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        let count = unsafe try source.read(into: buffer)
        // After a request to stop, the process may still be running.
        if count == 0, !isStopped.isSet { try process.checkEnding() }
        return count
    }
}
