#if Capture
    import Capture
    import CPcap
    import Glibc

    /// An open interface, and what was taken off it.
    @safe final class Tap {
        /// The most packets that are taken at once.
        private static let batchMax: Int32 = 256
        /// The microseconds' counterpart of `pcap` files with nanoseconds.
        private static let magic: UInt32 = 0xA1B2_3C4D

        private let handle: OpaquePointer
        private let options: LiveOptions
        private var gathered: [UInt8] = []
        private var place = 0
        private var packets = 0

        /// Whether as many packets came as were wanted.
        var isFull: Bool { options.packetsMax.map { packets >= $0 } ?? false }
        /// Whether nothing is at hand.
        var isEmpty: Bool { place == gathered.count }

        init(_ options: LiveOptions) throws(CaptureError) {
            self.options = options
            var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
            guard let opened = unsafe pcap_create(options.interface, &message) else {
                throw Self.error(options, "it cannot be opened")
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
                throw CaptureError(.badFilter, "the filter `\(filter)` is wrong: \(reason)")
            }
        }

        /// What a capture file begins with.
        private func addHeader() {
            let link = unsafe LinkType(dataLink: pcap_datalink(handle))
            let precision = unsafe pcap_get_tstamp_precision(handle)
            add(precision == PCAP_TSTAMP_PRECISION_NANO ? Self.magic : 0xA1B2_C3D4)
            // The version, 2.4; then two fields that nobody uses.
            let version: UInt32 = 2 | 4 << 16
            for number in [version, 0, 0, UInt32(LiveOptions.snapLengthMax)] { add(number) }
            add(UInt32(link.number))
        }

        private func add(_ number: UInt32) {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                gathered.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }

        /// Waits a little for packets.
        func gather() throws(CaptureError) {
            var most = Self.batchMax
            if let wanted = options.packetsMax {
                most = Int32(clamping: min(Int(most), max(1, wanted - packets)))
            }
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            let count = unsafe pcap_dispatch(
                handle, most,
                { me, header, bytes in
                    guard let me = unsafe me, let header = unsafe header, let bytes = unsafe bytes
                    else { return }
                    let tap = unsafe Unmanaged<Tap>.fromOpaque(me).takeUnretainedValue()
                    unsafe tap.take(header.pointee, bytes)
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
            unsafe gathered.append(
                contentsOf: UnsafeBufferPointer(start: bytes, count: Int(header.caplen)))
        }

        /// Moves what was gathered into `room`, as far as that goes.
        func move(into room: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(room.count, gathered.count - place)
            unsafe room.copyBytes(from: gathered[place..<(place + count)])
            place += count
            if isEmpty {
                gathered.removeAll(keepingCapacity: true)
                place = 0
            }
            return count
        }

        /// Whether something can be read now.
        var isReady: Bool {
            if !isEmpty { return true }
            var request = pollfd(
                fd: unsafe pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
            return unsafe poll(&request, 1, 0) != 0
        }

        /// How many packets were lost because they were not read in time.
        var dropped: Int {
            var figures = pcap_stat()
            guard unsafe pcap_stats(handle, &figures) == 0 else { return 0 }
            return Int(figures.ps_drop) + Int(figures.ps_ifdrop)
        }

        private static func reason(_ outcome: Int32, _ handle: OpaquePointer) -> String {
            switch outcome {
            case PCAP_ERROR_NO_SUCH_DEVICE: "there is no such interface"
            case PCAP_ERROR_PERM_DENIED: "that needs a right which this process lacks"
            case PCAP_ERROR_IFACE_NOT_UP: "it is not up"
            default: unsafe String(cString: pcap_geterr(handle))
            }
        }

        private static func error(_ options: LiveOptions, _ reason: String) -> CaptureError {
            CaptureError(
                .unreadable, "`\(options.interface)` cannot be listened to: \(reason)",
                help:
                    "run as root, or `setcap cap_net_raw+ep` the program; `ip link` lists interfaces"
            )
        }
    }
#endif
