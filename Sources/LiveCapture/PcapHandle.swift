#if Capture
    import Capture
    import CPcap
    import Glibc

    /// An open libpcap handle and the captured bytes that have not yet been read from it.
    @safe final class PcapHandle {
        /// Maximum number of packets to fetch at once.
        private static let batchMax: Int32 = 256
        /// Magic number of `pcap` files with nanosecond timestamps.
        private static let magic: UInt32 = 0xA1B2_3C4D

        private let handle: OpaquePointer
        private let options: LiveOptions
        private var buffered: [UInt8] = []
        private var offset = 0
        private var packets = 0

        /// True if ``LiveOptions/packetsMax`` packets have been captured.
        var isFull: Bool { options.packetsMax.map { packets >= $0 } ?? false }
        /// True if no bytes are buffered.
        var isEmpty: Bool { offset == buffered.count }

        init(_ options: LiveOptions) throws(CaptureError) {
            self.options = options
            var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
            guard let opened = unsafe pcap_create(options.interface, &message) else {
                throw Self.error(options, "libpcap could not open it")
            }
            unsafe handle = opened
            unsafe pcap_set_snaplen(opened, Int32(clamping: options.snapLength))
            unsafe pcap_set_promisc(opened, options.isPromiscuous ? 1 : 0)
            unsafe pcap_set_timeout(opened, LiveOptions.waitMilliseconds)
            unsafe pcap_set_immediate_mode(opened, 1)
            unsafe pcap_set_buffer_size(opened, LiveOptions.bufferBytes)
            unsafe pcap_set_tstamp_precision(opened, PCAP_TSTAMP_PRECISION_NANO)
            let outcome = unsafe pcap_activate(opened)
            guard outcome >= 0 else {
                throw Self.error(options, unsafe Self.reason(outcome, opened))
            }
            try setFilter()
            addHeader()
        }

        deinit { unsafe pcap_close(handle) }

        private func setFilter() throws(CaptureError) {
            guard let filter = options.filter else { return }
            var program = unsafe bpf_program()
            defer { unsafe pcap_freecode(&program) }
            guard
                unsafe pcap_compile(handle, &program, filter, 1, PacketFilter.netmaskUnknown) == 0,
                unsafe pcap_setfilter(handle, &program) == 0
            else {
                let reason = unsafe String(cString: pcap_geterr(handle))
                throw CaptureError(.badFilter, "invalid filter `\(filter)`: \(reason)")
            }
        }

        /// Appends the header of a capture file.
        private func addHeader() {
            let link = unsafe LinkType(dataLink: pcap_datalink(handle))
            let precision = unsafe pcap_get_tstamp_precision(handle)
            add(precision == PCAP_TSTAMP_PRECISION_NANO ? Self.magic : 0xA1B2_C3D4)
            // Version 2.4. Two unused fields follow.
            let version: UInt32 = 2 | 4 << 16
            for number in [version, 0, 0, UInt32(LiveOptions.snapLengthMax)] { add(number) }
            add(UInt32(link.number))
        }

        private func add(_ number: UInt32) {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                buffered.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }

        /// Waits for packets and buffers them. Returns after one polling interval at the latest.
        func fill() throws(CaptureError) {
            var batch = Self.batchMax
            if let wanted = options.packetsMax {
                batch = Int32(clamping: min(Int(batch), max(1, wanted - packets)))
            }
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            let count = unsafe pcap_dispatch(
                handle, batch,
                { me, header, bytes in
                    guard let me = unsafe me, let header = unsafe header, let bytes = unsafe bytes
                    else { return }
                    let pcap = unsafe Unmanaged<PcapHandle>.fromOpaque(me).takeUnretainedValue()
                    unsafe pcap.take(header.pointee, bytes)
                }, me.assumingMemoryBound(to: UInt8.self))
            guard count >= 0 else {
                throw Self.error(options, unsafe String(cString: pcap_geterr(handle)))
            }
        }

        private func take(_ header: pcap_pkthdr, _ bytes: UnsafePointer<UInt8>) {
            packets += 1
            add(UInt32(truncatingIfNeeded: header.ts.tv_sec))
            add(UInt32(truncatingIfNeeded: header.ts.tv_usec))
            add(header.caplen)
            add(header.len)
            unsafe buffered.append(
                contentsOf: UnsafeBufferPointer(start: bytes, count: Int(header.caplen)))
        }

        /// Moves as many buffered bytes as fit into `target`, and returns their number.
        func move(into target: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(target.count, buffered.count - offset)
            unsafe target.copyBytes(from: buffered[offset..<(offset + count)])
            offset += count
            if isEmpty {
                buffered.removeAll(keepingCapacity: true)
                offset = 0
            }
            return count
        }

        /// True if packets can be read without waiting.
        var isReady: Bool {
            if !isEmpty { return true }
            var request = pollfd(
                fd: unsafe pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
            return unsafe poll(&request, 1, 0) != 0
        }

        /// Number of packets that were lost because they were not read in time.
        var dropped: Int {
            var figures = pcap_stat()
            guard unsafe pcap_stats(handle, &figures) == 0 else { return 0 }
            return Int(figures.ps_drop) + Int(figures.ps_ifdrop)
        }

        private static func reason(_ outcome: Int32, _ handle: OpaquePointer) -> String {
            switch outcome {
            case PCAP_ERROR_NO_SUCH_DEVICE: "no such interface"
            case PCAP_ERROR_PERM_DENIED: "permission denied"
            case PCAP_ERROR_IFACE_NOT_UP: "the interface is down"
            default: unsafe String(cString: pcap_geterr(handle))
            }
        }

        private static func error(_ options: LiveOptions, _ reason: String) -> CaptureError {
            CaptureError(
                .unreadable, "cannot capture on `\(options.interface)`: \(reason)",
                help:
                    "run as root, or run `setcap cap_net_raw+ep` on the program; list interfaces with `ip link`"
            )
        }
    }
#endif
