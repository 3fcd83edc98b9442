import Console
import Diagnostics
import Glibc

/// A process that decompresses a capture file into a pipe.
final class UnpackProcess {
    /// Maximum number of bytes of the program's error output to show.
    private static let messageBytesMax = 4_096
    private static let bufferBytes = 1 << 16

    /// The descriptor to read the uncompressed capture from.
    let output: CInt
    private let program: String
    private let path: String
    private let id: pid_t
    private let errors: CInt
    /// The reason the file could not be decompressed; nil if it could, or if the program has not
    /// ended yet.
    private var failure: CaptureError?
    private var hasEnded = false
    private var isOutputClosed = false

    /// Starts the program. The caller must call ``close()`` or ``finish(isStopped:)`` when it is
    /// done.
    ///
    /// - Parameters:
    ///   - input: Descriptor of the compressed file at `path`. It can be closed afterwards, unless
    ///     bytes have been taken from it.
    ///   - taken: Bytes already read from `input`, which is then a pipe.
    init(
        _ packing: OpenedCapture.Packing, _ path: String, input: CInt, taken: [UInt8] = []
    ) throws(CaptureError) {
        program = packing.rawValue
        self.path = path
        let (output, errors) = (try Self.pipe(program), try Self.pipe(program))
        let feed = taken.isEmpty ? nil : try Self.pipe(program)
        defer {
            _ = Glibc.close(output.writing)
            _ = Glibc.close(errors.writing)
            if let feed { _ = Glibc.close(feed.reading) }
        }
        self.output = output.reading
        self.errors = errors.reading
        let standard = [feed?.reading ?? input, output.writing, errors.writing]
        switch Self.start(program, standard) {
        case .success(let id):
            self.id = id
            if let feed { Self.copy(taken, andRestOf: input, to: feed.writing) }
        case .failure(let error):
            _ = Glibc.close(output.reading)
            _ = Glibc.close(errors.reading)
            if let feed { _ = Glibc.close(feed.writing) }
            guard error.code == ENOENT else {
                throw CaptureError(
                    .cannotUnpack,
                    "cannot start \(program) for `\(path)`: \(error)")
            }
            throw Self.notInstalled(packing, path)
        }
    }

    /// Returns whether the program that decompresses a format is in a folder of `PATH`.
    static func isInstalled(_ packing: OpenedCapture.Packing) -> Bool {
        guard let folders = unsafe getenv("PATH") else { return true }
        return unsafe String(cString: folders).split(separator: ":").contains {
            unsafe access("\($0)/\(packing.rawValue)", X_OK) == 0
        }
    }

    static func notInstalled(_ packing: OpenedCapture.Packing, _ path: String) -> CaptureError {
        CaptureError(
            .cannotUnpack, "`\(path)` is compressed, but \(packing.rawValue) is not installed",
            help: "install \(packing.rawValue), or decompress the file elsewhere")
    }

    /// Waits until the program ends, after all of its output has been read. Throws if it could not
    /// decompress the whole file.
    func checkEnding() throws(CaptureError) {
        if !hasEnded {
            let message = readErrors()
            let status = wait()
            // The program is ended by SIGPIPE if the rest of its output is not wanted.
            if status != 0, status & 0x7F != SIGPIPE {
                failure = CaptureError(
                    .cannotUnpack,
                    "\(program) could not decompress all of `\(path)`: "
                        + message.split(separator: "\n").joined(separator: "; "))
            }
        }
        if let failure { throw failure }
    }

    /// Closes the output and waits until the program ends; if `isStopped` is true, ends it instead.
    /// Returns the reason if it could not decompress the whole file.
    func finish(isStopped: Bool) -> CaptureError? {
        defer { close() }
        guard !isStopped else { return nil }
        closeOutput()
        do {
            try checkEnding()
            return nil
        } catch {
            return error
        }
    }

    /// Ends the program if it is still running, and closes the descriptors.
    func close() {
        closeOutput()
        if !hasEnded {
            kill(id, SIGKILL)
            _ = wait()
        }
        _ = Glibc.close(errors)
    }

    private func closeOutput() {
        guard !isOutputClosed else { return }
        isOutputClosed = true
        _ = Glibc.close(output)
    }

    private func wait() -> CInt {
        var status: CInt = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        return status
    }

    private func readErrors() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = unsafe read(errors, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer.prefix(min(count, Self.messageBytesMax - text.count))
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Starting

    private static func pipe(
        _ program: String
    ) throws(CaptureError) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [0, 0]
        guard unsafe Glibc.pipe(&ends) == 0 else {
            throw CaptureError(
                .cannotUnpack,
                "cannot create a pipe for \(program): \(SystemError(errno))")
        }
        // If another process inherited a writing end, reading would never reach the end of the
        // data.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Copies bytes, and everything that can still be read from `input`, to a pipe on a separate
    /// thread.
    private static func copy(_ taken: [UInt8], andRestOf input: CInt, to pipe: CInt) {
        startThread("unpack") {
            defer { _ = Glibc.close(pipe) }
            var buffer = taken
            var count = taken.count
            while count > 0, (try? OutputFile.writeAll(Array(buffer[..<count]), to: pipe)) != nil {
                if buffer.count < bufferBytes { buffer = Array(repeating: 0, count: bufferBytes) }
                repeat {
                    count = unsafe read(input, &buffer, buffer.count)
                } while count < 0 && errno == EINTR
            }
        }
    }

    /// Starts `program -dc` with these descriptors as standard input, output and error.
    private static func start(_ program: String, _ standard: [CInt]) -> Result<pid_t, SystemError> {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in standard.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(target))
        }
        // The new process must not inherit blocked or ignored signals.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        // Ctrl-C must not end it before what it has read is decoded.
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words = unsafe copied([program, "-dc"])
        let variables = unsafe copied(Environment.ofProcess.map { "\($0)=\($1)" })
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var id: pid_t = 0
        let code = unsafe posix_spawnp(&id, program, &actions, &attributes, words, variables)
        return code == 0 ? .success(id) : .failure(SystemError(code))
    }

    /// Returns the texts as C strings, followed by nil. The caller must free them.
    private static func copied(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe texts.map { unsafe strdup($0) } + [nil]
    }
}
