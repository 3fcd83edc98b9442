#if Capture
    package import Capture

    /// Options for live capture.
    package struct LiveOptions: Sendable {
        /// Size of the largest packet that can be captured whole, in bytes.
        package static let snapLengthMax = 262_144
        /// Size of the kernel's capture buffer, in bytes.
        static let bufferBytes: Int32 = 16 << 20
        /// Polling interval for `isStopped`, in milliseconds.
        static let waitMilliseconds: Int32 = 100

        /// Name of the network interface, such as `lo`, `eth0` or `any`.
        package var interface: String
        /// Maximum number of bytes to capture per packet.
        package var snapLength = snapLengthMax
        /// True to also capture packets addressed to other hosts.
        package var isPromiscuous = false
        /// Filter expression in tcpdump syntax; nil to capture everything.
        package var filter: String?
        /// Maximum number of packets to capture; nil for no limit.
        package var packetsMax: Int?

        package init(interface: String) { self.interface = interface }
    }

    /// A source of packets captured live from an interface, in the format of a capture file.
    package struct LiveSource: SampleableSource {
        private let handle: PcapHandle
        private let isStopped: @Sendable () -> Bool

        /// Starts the capture.
        ///
        /// - Parameter isStopped: Checked while waiting for packets. The capture ends when it
        ///   returns true.
        /// - Throws: An error if the interface cannot be opened or the filter is invalid.
        package init(
            _ options: LiveOptions, isStopped: @escaping @Sendable () -> Bool
        ) throws(CaptureError) {
            handle = try PcapHandle(options)
            self.isStopped = isStopped
        }

        /// Number of packets that were lost because they were not read in time.
        package var dropped: Int { handle.dropped }

        package var isReady: Bool { handle.isReady }

        package mutating func read(
            into buffer: UnsafeMutableRawBufferPointer
        ) throws(CaptureError) -> Int {
            while handle.isEmpty {
                if handle.isFull || isStopped() { return 0 }
                try handle.fill()
            }
            return unsafe handle.move(into: buffer)
        }
    }
#endif
