import ArgumentParser
import Jobs

/// Options for reading captures, in commands that also accept something else.
struct CapturedServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For captures: use only connections to this server port. Repeatable.",
            valueName: "number"))
    var port: [UInt16] = []

    @Option(
        help: ArgumentHelp(
            "For captures: TLS key log (SSLKEYLOGFILE) for decrypting connections.",
            valueName: "file"), completion: .file())
    var keys: String?

    /// Names of the options that were given.
    var given: [String] {
        (port.isEmpty ? [] : ["--port"]) + (keys == nil ? [] : ["--keys"])
    }

    /// The connections to read.
    var selection: CapturedServers { CapturedServers(ports: port, keys: keys) }
}
