import CSpawn
import Glibc

/// A child process that inherits only its standard input, output and error.
///
/// Foundation's `Process` crashes now and then if this process has more than a thousand open files,
/// as it does during load tests: it reads beyond the end of a directory's entries.
struct SpawnedProcess {
    let id: pid_t

    /// - Parameters:
    ///   - folder: The working directory; nil for that of this process.
    ///   - standard: Descriptors of the child's standard input, output and error.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], folder: String?,
        standard: [CInt]
    ) throws {
        let words = unsafe Self.copied([path] + arguments)
        let variables = unsafe Self.copied(environment.map { "\($0)=\($1)" })
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        let id = unsafe lj_spawn_test(path, words, variables, folder, standard)
        guard id > 0 else { throw SpawnError(path: path, number: -id) }
        self.id = id
    }

    /// Returns C strings with a nil at the end.
    private static func copied(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        unsafe texts.map { unsafe strdup($0) } + [nil]
    }

    /// Waits for the process to end, once. Returns its exit status, or the negative number of the
    /// signal that ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal != 0 ? -signal : status >> 8 & 0xFF
    }

    /// Kills the process and its children, which may hold the other ends of its pipes.
    func killGroup() { Glibc.kill(-id, SIGKILL) }

    /// True if the process has not ended yet.
    var isRunning: Bool {
        var info = unsafe siginfo_t()
        let isKnown = unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        return unsafe isKnown && info.si_signo == 0
    }

    private struct SpawnError: Error, CustomStringConvertible {
        var path: String
        var number: Int32
        var description: String { unsafe "\(path): \(String(cString: strerror(number)))" }
    }
}
