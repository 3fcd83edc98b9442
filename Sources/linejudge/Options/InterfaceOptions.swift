import ArgumentParser

/// Traffic that is captured while it goes by.
struct InterfaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Decode what goes over this interface (lo, eth0, any) instead of a file.",
            valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp("So many bytes of each packet (262144).", valueName: "bytes"),
        transform: NumberArgument.within(64...262_144, such: 65_536))
    var snapLength: Int?

    @Flag(help: "Packets for other machines, too.")
    var promiscuous = false

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp("End after so many packets.", valueName: "number"),
        transform: NumberArgument.within(1...1_000_000_000, such: 1_000))
    var count: Int?

    func validate() throws {
        guard interface == nil else { return }
        if snapLength != nil || promiscuous || duration != nil || count != nil {
            throw ValidationError(
                "--snap-length, --promiscuous, --for and --count need --interface")
        }
    }
}
