import Glibc

/// A child and all that it has started, as a process group.
struct ProcessGroup: Sendable {
    /// The child's id, which is the group's, too.
    let leader: pid_t

    /// How the child ended; nil while it runs. It is not reaped: until then neither its id nor its
    /// group's is given to another.
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
        return "was ended by signal \(status)" + (name.map { " (\($0))" } ?? "")
    }

    /// Sends a signal to all of them.
    func send(_ signal: CInt) { _ = kill(-leader, signal) }
}
