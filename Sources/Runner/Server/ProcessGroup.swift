import Glibc

/// The process group of a child process and its descendants.
struct ProcessGroup: Sendable {
    /// Process ID of the child, which is also the ID of the group.
    let leader: pid_t

    /// Describes how the child ended; nil while it is running. The child is not reaped, so that
    /// neither ID can be reused.
    var end: String? {
        var info = unsafe siginfo_t()
        let status = unsafe waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT)
        guard status == 0 else { return "ended" }
        guard unsafe info.si_signo != 0 else { return nil }
        return unsafe Self.text(
            code: info.si_code, status: info._sifields._sigchld.si_status)
    }

    private static func text(code: CInt, status: CInt) -> String {
        guard code != CInt(CLD_EXITED) else { return "exited with \(status)" }
        let name = unsafe strsignal(status).map { unsafe String(cString: $0) }
        return "was killed by signal \(status)" + (name.map { " (\($0))" } ?? "")
    }

    /// Sends a signal to the whole group.
    func send(_ signal: CInt) { _ = kill(-leader, signal) }
}
