import CEpoll
import Diagnostics
import Glibc

/// A child process that uses one socket as standard input and output. It inherits standard error
/// from this process, and no other descriptors.
struct ChildProcess: Sendable {
    /// A child process's program, with its arguments.
    struct Program: Sendable, Hashable {
        var path: String
        var arguments: [String]
    }

    let id: pid_t

    static func start(_ program: Program, socket: Int32) -> Result<ChildProcess, SystemError> {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program.path] + program.arguments)
            .map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        let id = unsafe lj_spawn(program.path, &words, socket)
        return id > 0 ? .success(ChildProcess(id: id)) : .failure(SystemError(-id))
    }

    func kill() { Glibc.kill(id, SIGKILL) }

    /// Waits for the process to end, and returns a description of how it ended.
    func wait() -> String {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return "ended for an unknown reason" }
        }
        let signal = status & 0x7F
        if signal != 0 {
            let name = unsafe String(cString: strsignal(signal))
            let hint = signal == SIGKILL ? "; the system may have run out of memory" : ""
            return "was killed by signal \(signal) (\(name)\(hint))"
        }
        return "exited with status \(status >> 8 & 0xFF)"
    }
}
