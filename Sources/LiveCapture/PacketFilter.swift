#if Capture
    package import Capture
    import CPcap
    import Synchronization

    /// A filter in the language of tcpdump (BPF), as libpcap compiles it.
    ///
    /// It is compiled anew for each kind of link that a capture has.
    package final class PacketFilter: PacketSelection {
        /// What libpcap's macro of this name says.
        static let netmaskUnknown: UInt32 = 0xFFFF_FFFF
        /// No packet is longer.
        private static let snapLength: Int32 = 262_144

        private let expression: String
        private let programs = Mutex<[LinkType: Program]>([:])

        /// Compiles the expression.
        ///
        /// - Throws: what is wrong with it.
        package init(_ expression: String) throws(CaptureError) {
            self.expression = expression
            let program = try Program(expression, .ethernet)
            programs.withLock { $0[.ethernet] = program }
        }

        /// Whether the packet passes the filter; none does on a link for which it means nothing.
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

        /// The expression for one kind of link.
        @safe private final class Program: @unchecked Sendable {
            static let none = Program()
            private var program = unsafe bpf_program()

            private init() {}

            init(_ expression: String, _ link: LinkType) throws(CaptureError) {
                let handle = unsafe pcap_open_dead(link.dataLink, PacketFilter.snapLength)
                guard let handle = unsafe handle else {
                    throw CaptureError(.unreadable, "libpcap has no memory for a filter")
                }
                defer { unsafe pcap_close(handle) }
                let outcome = unsafe pcap_compile(
                    handle, &program, expression, 1, PacketFilter.netmaskUnknown)
                guard outcome == 0 else {
                    let reason = unsafe String(cString: pcap_geterr(handle))
                    throw CaptureError(.badFilter, "the filter `\(expression)` is wrong: \(reason)")
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
        /// libpcap's number in programs, which differs from the one in files for raw IP.
        var dataLink: Int32 { self == .raw ? Self.rawInPrograms : Int32(number) }

        private static var rawInPrograms: Int32 { 12 }

        init(dataLink: Int32) {
            self = dataLink == Self.rawInPrograms ? .raw : LinkType(UInt16(clamping: dataLink))
        }
    }
#endif
