import ArgumentParser

/// Options for how long to wait for the server.
struct StartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Time limit for a server started by --exec to accept connections (default: 20s).",
            valueName: "time"), transform: DurationArgument.init)
    var startTimeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Wait up to this long for the server named by --server to accept connections.",
            valueName: "time"), transform: DurationArgument.init)
    var wait: DurationArgument?

    /// Throws a usage error if an option would have no effect.
    ///
    /// - Parameters:
    ///   - server: Whether `--server` is given.
    ///   - exec: Whether `--exec` is given.
    ///   - filesStart: Whether scenarios can also start servers.
    func check(server: Bool, exec: Bool, filesStart: Bool = false) throws {
        if wait != nil, exec {
            throw ValidationError("--wait is for running servers; with --exec, use --start-timeout")
        }
        if wait != nil, !server { throw ValidationError("--wait requires --server") }
        if startTimeout != nil, !exec, !filesStart || server {
            throw ValidationError(
                server
                    ? "--start-timeout requires --exec; for a running server, use --wait"
                    : "--start-timeout requires --exec")
        }
    }
}
