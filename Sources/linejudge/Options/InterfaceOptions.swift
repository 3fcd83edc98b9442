import ArgumentParser
import LiveCapture

/// Options for capturing packets from a network interface.
struct InterfaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Capture from this network interface (lo, eth0, any) instead of a file (needs libpcap).",
            valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Bytes to capture from each packet (default: 262144).", valueName: "bytes"),
        transform: NumberArgument.within(64...262_144, such: 65_536))
    var snapLength: Int?

    @Flag(help: "Also capture packets for other machines.")
    var promiscuous = false

    @Option(
        name: .customLong("for"), help: ArgumentHelp("Stop after this time.", valueName: "time"),
        transform: DurationArgument.init)
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp("Stop after this many packets.", valueName: "number"),
        transform: NumberArgument.within(1...1_000_000_000, such: 1_000))
    var count: Int?

    func validate() throws {
        guard interface == nil else { return }
        if snapLength != nil || promiscuous || duration != nil || count != nil {
            throw ValidationError(
                "--snap-length, --promiscuous, --for and --count require --interface")
        }
    }

    var request: InterfaceRequest {
        var request = InterfaceRequest(interface: interface ?? "")
        request.snapLength = snapLength
        request.isPromiscuous = promiscuous
        request.packetsMax = count
        return request
    }
}
