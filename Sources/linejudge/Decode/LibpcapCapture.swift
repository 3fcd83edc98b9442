import Capture
import DialectFiles
import Results
import Runner

#if Capture
    import Diagnostics
    import LiveCapture
    import Report

    /// Features of libpcap: tcpdump filters and live capture.
    enum LibpcapCapture {
        /// Parses a filter.
        static func filter(_ expression: String) throws(CommandFailure) -> any PacketSelection {
            do {
                return try PacketFilter(expression)
            } catch {
                throw CommandFailure(.usage, Diagnosed(error.diagnostic))
            }
        }

        /// Decodes traffic of an interface until stopped.
        static func decode(
            _ options: InterfaceOptions, filter: String?, _ job: DecodeJob,
            _ chosen: GivenDialects
        ) async -> Result<DecodeJob.Outcome, CommandFailure> {
            var live = LiveOptions(interface: options.interface ?? "")
            live.snapLength = options.snapLength ?? LiveOptions.snapLengthMax
            live.isPromiscuous = options.promiscuous
            live.filter = filter
            live.packetsMax = options.count
            return await OpenedCapture.onThread { [live] in
                do throws(CaptureError) {
                    let stop = job.isStopped
                    let source = try LiveSource(live) { stop.isSet }
                    if !job.command.display.quiet {
                        Output.error.write(
                            "capturing from \(live.interface); press Ctrl-C to stop\n")
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
    /// A build without libpcap.
    enum LibpcapCapture {
        private static let absence = CommandFailure(
            .usage, .badOption, "--bpf and --interface need libpcap, which this build lacks",
            help: "apt-get install libpcap-dev, then swift build --traits Capture")

        static func filter(_ expression: String) throws(CommandFailure) -> any PacketSelection {
            throw absence
        }

        static func decode(
            _ options: InterfaceOptions, filter: String?, _ job: DecodeJob,
            _ chosen: GivenDialects
        ) async -> Result<DecodeJob.Outcome, CommandFailure> {
            .failure(absence)
        }
    }
#endif
