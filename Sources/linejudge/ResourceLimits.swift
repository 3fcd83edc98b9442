import Console
import Diagnostics
import Glibc
import Results

/// A command that uses connections.
protocol ConnectingCommand {}

extension RunCommand: ConnectingCommand {}
extension CheckCommand: ConnectingCommand {}
extension ServeCommand: ConnectingCommand {}
extension RecordCommand: ConnectingCommand {}
extension LoadCommand: ConnectingCommand {}
extension DialectTestCommand: ConnectingCommand {}

/// A check of the process's resource limits (`ulimit`). If they are too low to start threads or event
/// loops, the process would crash instead of reporting an error.
enum ResourceLimits {
    /// Number of open files needed, in addition to those of the event loops.
    static let filesMin: UInt64 = 32
    /// Number of files that each event loop opens.
    static let filesPerLoop: UInt64 = 8
    /// Address space, in bytes, that a command without connections needs, in addition to that of its
    /// threads.
    static let addressSpaceMin: UInt64 = 256 << 20
    /// Address space that a command needs for connections, in addition to that of the event loops.
    static let addressSpaceForConnections: UInt64 = 256 << 20
    /// Address space that a thread or event loop on each core needs for its stack and memory, in
    /// bytes.
    static let addressSpacePerCore: UInt64 = 96 << 20

    /// - Parameter connects: Whether the command uses connections.
    static func check(connects: Bool) throws(CommandFailure) {
        // There is an event loop or a thread for each core.
        let cores = UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        if connects { try checkFiles(loops: cores) }
        try checkAddressSpace(
            addressSpaceMin + (connects ? addressSpaceForConnections : 0)
                + addressSpacePerCore * cores)
    }

    private static func checkFiles(loops: UInt64) throws(CommandFailure) {
        let files = filesMin + filesPerLoop * loops
        if let limit = limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), raisedTo: files),
            limit < files
        {
            throw CommandFailure(
                .usage, .badOption, "the open-file limit is \(limit), but \(files) are needed",
                help: "raise the limit (ulimit -n \(files))")
        }
    }

    private static func checkAddressSpace(_ bytes: UInt64) throws(CommandFailure) {
        if let limit = limit(__rlimit_resource_t(RLIMIT_AS.rawValue), raisedTo: bytes),
            limit < bytes
        {
            throw CommandFailure(
                .usage, .badOption,
                "the address space is limited to \(limit >> 20) MiB, but \(bytes >> 20) MiB are "
                    + "needed",
                help: "raise the limit (ulimit -v \(bytes >> 10))")
        }
    }

    /// Returns the limit after raising it to the hard limit if it is below `needed`; nil if there
    /// is no limit.
    private static func limit(
        _ resource: __rlimit_resource_t, raisedTo needed: UInt64
    ) -> UInt64? {
        var limits = rlimit()
        guard unsafe getrlimit(resource, &limits) == 0 else { return nil }
        if limits.rlim_cur < needed, limits.rlim_cur < limits.rlim_max {
            limits.rlim_cur = limits.rlim_max
            guard unsafe setrlimit(resource, &limits) == 0 else { return nil }
        }
        // The largest value means that there is no limit.
        return limits.rlim_cur == .max ? nil : UInt64(limits.rlim_cur)
    }
}
