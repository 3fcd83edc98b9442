import CEpoll
import Glibc

/// Another process of a program, whose standard input and output are one socket. Its standard error is ours, and
/// nothing else of us is.
struct ChildProcess: Sendable {
    /// A program and what it is started with.
    struct Program: Sendable, Hashable {
        var path: String
        var arguments: [String]
    }

    let id: pid_t

    /// Starts one; answers the number of the error where that fails.
    static func start(_ program: Program, socket: Int32) -> Result<ChildProcess, SystemError> {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program.path] + program.arguments)
            .map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        let id = unsafe lj_spawn(program.path, &words, socket)
        return id > 0 ? .success(ChildProcess(id: id)) : .failure(SystemError(number: -id))
    }

    /// The number of an error.
    struct SystemError: Error, CustomStringConvertible {
        var number: Int32
        var description: String { unsafe String(cString: strerror(number)).lowercased() }
    }

    /// Ends it without more ado.
    func kill() { Glibc.kill(id, SIGKILL) }

    /// Waits until it has ended, and says how, in words.
    func wait() -> String {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return "has gone" }
        }
        let signal = status & 0x7F
        if signal != 0 {
            let name = unsafe String(cString: strsignal(signal))
            let hint = signal == SIGKILL ? "; the system does that where memory runs out" : ""
            return "was killed by signal \(signal) (\(name)\(hint))"
        }
        return "ended with status \(status >> 8 & 0xFF)"
    }
}
