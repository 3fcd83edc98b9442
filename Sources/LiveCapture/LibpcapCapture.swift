package import Capture
import Console
import Diagnostics
package import Results

/// Options for live capture, as given on the command line.
package struct InterfaceRequest: Sendable {
    package var interface: String
    /// Maximum number of bytes to capture per packet; nil for all bytes.
    package var snapLength: Int?
    package var isPromiscuous = false
    /// Maximum number of packets to capture; nil for no limit.
    package var packetsMax: Int?

    package init(interface: String) { self.interface = interface }
}

#if Capture
    /// Features provided by libpcap: tcpdump filters and live capture.
    package enum LibpcapCapture {
        /// Parses a tcpdump filter.
        package static func filter(_ expression: String) throws(CommandFailure)
            -> any PacketSelection
        {
            do {
                return try PacketFilter(expression)
            } catch {
                throw CommandFailure(.usage, Diagnosed(error.diagnostic))
            }
        }

        /// Decodes the traffic on an interface until the job is stopped or the maximum number of
        /// packets has been captured.
        package static func decode(
            _ request: InterfaceRequest, _ job: DecodeJob, _ chosen: GivenDialects
        ) async -> Result<DecodeOutcome, CommandFailure> {
            var live = LiveOptions(interface: request.interface)
            live.snapLength = request.snapLength ?? LiveOptions.snapLengthMax
            live.isPromiscuous = request.isPromiscuous
            live.filter = job.options.filters.packets
            live.packetsMax = request.packetsMax
            return await onThread("capture") { [live] in
                do throws(CaptureError) {
                    let stop = job.isStopped
                    let source = try LiveSource(live) { stop.isSet }
                    if !job.options.isQuiet {
                        Output.error.write(
                            "capturing on \(live.interface); press Ctrl-C to stop\n")
                    }
                    let outcome = job.run(source, chosen)
                    if source.dropped > 0 {
                        let text =
                            "\(counted(source.dropped, "packet")) dropped by the kernel\n"
                        Output.error.write("linejudge decode: \(text)")
                    }
                    return outcome
                } catch {
                    return .failure(CommandFailure(.unavailable, Diagnosed(error.diagnostic)))
                }
            }
        }
    }
#else
    /// Replacement for builds without libpcap. Every call fails with an explanation.
    package enum LibpcapCapture {
        private static let absence = CommandFailure(
            .usage, .badOption,
            "--bpf and --interface need libpcap, which this build does not include",
            help: "apt-get install libpcap-dev, then swift build --traits default,Capture")

        package static func filter(_ expression: String) throws(CommandFailure)
            -> any PacketSelection
        {
            throw absence
        }

        package static func decode(
            _ request: InterfaceRequest, _ job: DecodeJob, _ chosen: GivenDialects
        ) async -> Result<DecodeOutcome, CommandFailure> {
            .failure(absence)
        }
    }
#endif
