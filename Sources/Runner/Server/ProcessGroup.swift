import Glibc

/// The process group of a child process, including the child's descendants.
struct ProcessGroup: Sendable {
    /// Process id of the child, which is also the group id.
    let leader: pid_t

    /// Description of how the child ended; nil while it is running. The child is not reaped, so its
    /// id cannot be reused.
    var end: String? {
        var info = unsafe siginfo_t()
        let status = unsafe waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT)
        guard status == 0 else { return "ended" }
        guard unsafe info.si_signo != 0 else { return nil }
        return unsafe Self.text(
            code: info.si_code, status: info._sifields._sigchld.si_status)
    }

    /// Description of a child that ended successfully.
    static let endInSuccess = text(code: CInt(CLD_EXITED), status: EXIT_SUCCESS)

    private static func text(code: CInt, status: CInt) -> String {
        guard code != CInt(CLD_EXITED) else { return "exited with \(status)" }
        let name = unsafe strsignal(status).map { unsafe String(cString: $0) }
        return "was killed by signal \(status)" + (name.map { " (\($0))" } ?? "")
    }

    /// Maximum interval between looks at the child, in nanoseconds.
    private static let pollIntervalMax: Int64 = 100_000_000

    /// Waits until the child has ended or the task is cancelled, at most for `timeout` nanoseconds.
    func waitForEnd(_ timeout: Int64) async {
        let clock = ContinuousClock()
        let deadline = clock.now + .nanoseconds(timeout)
        var pause: Int64 = 1_000_000
        while end == nil, clock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .nanoseconds(pause))
            pause = min(pause * 2, Self.pollIntervalMax)
        }
    }

    /// Sends a signal to the whole group.
    func send(_ signal: CInt) { _ = kill(-leader, signal) }
}
