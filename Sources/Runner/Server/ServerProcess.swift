import CEpoll
import Diagnostics
import Glibc
import Synchronization

/// A server and its supervisor. The supervisor is a process that kills the server and all its
/// descendants when the server ends, when ``release()`` is called, or when this process ends, even
/// if it is killed.
final class ServerProcess: Sendable {
    /// Process id of the server.
    let program: pid_t
    /// The process group of the server, whose leader is the supervisor.
    let group: ProcessGroup
    /// Reading end of the pipe for the server's output.
    private let output: CInt
    /// Writing end of the supervisor's pipe; -1 once it is closed.
    private let lifeline: Mutex<CInt>

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - path: Path of the program.
    ///   - words: Its name and arguments.
    ///   - variables: Its environment, as `NAME=value`.
    init(_ path: String, _ words: [String], _ variables: [String]) throws(SystemError) {
        let output = try Self.pipe()
        let lifeline: (read: CInt, write: CInt)
        do {
            lifeline = try Self.pipe()
        } catch {
            close(output.read)
            close(output.write)
            throw error
        }
        var started = lj_supervised()
        let code = unsafe withCStrings(words) { words in
            unsafe withCStrings(variables) { variables in
                unsafe lj_supervise(
                    path, words, variables, output.write, lifeline.read, &started)
            }
        }
        close(output.write)
        close(lifeline.read)
        guard code == 0 else {
            close(output.read)
            close(lifeline.write)
            throw SystemError(-code)
        }
        program = started.program
        group = ProcessGroup(leader: started.supervisor)
        self.output = output.read
        self.lifeline = Mutex(lifeline.write)
    }

    private static func pipe() throws(SystemError) -> (read: CInt, write: CInt) {
        var (reading, writing): (CInt, CInt) = (-1, -1)
        let code = unsafe lj_pipe(&reading, &writing)
        guard code == 0 else { throw SystemError(-code) }
        return (reading, writing)
    }

    /// Maximum number of bytes of output read at a time.
    private static let pieceBytes = 64 << 10

    /// Reads the output until all processes that can write it have ended. Must be called once.
    func readOutput(_ take: ([UInt8]) -> Void) {
        defer { close(output) }
        while true {
            var result = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) {
                buffer, count in
                result = unsafe read(output, buffer.baseAddress, buffer.count)
                count = max(0, result)
            }
            if result > 0 {
                take(piece)
            } else if result == 0 || errno != EINTR {
                return
            }
        }
    }

    /// Makes the supervisor kill the server and all its descendants.
    func release() {
        lifeline.withLock { file in
            if file >= 0 { close(file) }
            file = -1
        }
    }

    /// Removes the ended supervisor from the process table.
    func reap() {
        release()
        var status: CInt = 0
        while unsafe waitpid(group.leader, &status, 0) < 0, errno == EINTR {}
    }
}

/// Calls `body` with an array of C strings that ends with a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
}
