#if Capture
    package import Capture
    import CPcap
    import Synchronization

    /// A packet filter in tcpdump syntax (BPF), compiled by libpcap.
    ///
    /// It is compiled separately for each link type that occurs in a capture.
    package final class PacketFilter: PacketSelection {
        /// Value of libpcap's PCAP_NETMASK_UNKNOWN macro.
        static let netmaskUnknown: UInt32 = 0xFFFF_FFFF
        private static let snapLength: Int32 = 262_144

        private let expression: String
        private let programs = Mutex<[LinkType: Program]>([:])

        /// Compiles the expression.
        ///
        /// - Throws: An error if the expression is invalid.
        package init(_ expression: String) throws(CaptureError) {
            self.expression = expression
            let program = try Program(expression, .ethernet)
            programs.withLock { $0[.ethernet] = program }
        }

        /// Returns whether the filter accepts the packet. Returns false if the filter cannot be
        /// compiled for the packet's link type.
        package func accepts(_ packet: Span<UInt8>, _ record: CaptureRecord) -> Bool {
            programs.withLock { programs in
                if let program = programs[record.linkType] {
                    return program.accepts(packet, record.originalCount)
                }
                let program = (try? Program(expression, record.linkType)) ?? Program.none
                programs[record.linkType] = program
                return program.accepts(packet, record.originalCount)
            }
        }

        /// The expression compiled for one link type.
        @safe private final class Program: @unchecked Sendable {
            static let none = Program()
            private var program = unsafe bpf_program()

            private init() {}

            init(_ expression: String, _ link: LinkType) throws(CaptureError) {
                let handle = unsafe pcap_open_dead(link.dataLink, PacketFilter.snapLength)
                guard let handle = unsafe handle else {
                    throw CaptureError(
                        .unreadable, "libpcap could not allocate memory for the filter")
                }
                defer { unsafe pcap_close(handle) }
                let outcome = unsafe pcap_compile(
                    handle, &program, expression, 1, PacketFilter.netmaskUnknown)
                guard outcome == 0 else {
                    let reason = unsafe String(cString: pcap_geterr(handle))
                    throw CaptureError(.badFilter, "invalid filter `\(expression)`: \(reason)")
                }
            }

            deinit { unsafe pcap_freecode(&program) }

            func accepts(_ packet: Span<UInt8>, _ originalCount: Int) -> Bool {
                guard unsafe program.bf_insns != nil else { return false }
                var header = pcap_pkthdr()
                header.caplen = UInt32(clamping: packet.count)
                header.len = UInt32(clamping: max(originalCount, packet.count))
                return unsafe packet.withUnsafeBufferPointer { bytes in
                    unsafe pcap_offline_filter(&program, &header, bytes.baseAddress) != 0
                }
            }
        }
    }

    extension LinkType {
        /// The DLT_ number that libpcap uses; for raw IP, it differs from the LINKTYPE_ number.
        var dataLink: Int32 { self == .raw ? Self.rawInPrograms : Int32(number) }

        private static var rawInPrograms: Int32 { 12 }

        init(dataLink: Int32) {
            self = dataLink == Self.rawInPrograms ? .raw : LinkType(UInt16(clamping: dataLink))
        }
    }
#endif
