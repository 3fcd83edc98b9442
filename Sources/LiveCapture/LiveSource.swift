#if Capture
    package import Capture

    /// Options for live capture.
    package struct LiveOptions: Sendable {
        /// Size of the largest packet that can be captured completely, in bytes.
        package static let snapLengthMax = 262_144
        /// Size of the kernel's capture buffer, in bytes.
        static let bufferBytes: Int32 = 16 << 20
        /// Interval at which `isStopped` is checked while waiting, in milliseconds.
        static let waitMilliseconds: Int32 = 100

        /// Name of the network interface: `lo`, `eth0`, `any`.
        package var interface: String
        /// Maximum number of bytes captured per packet.
        package var snapLength = snapLengthMax
        /// True to capture packets that are addressed to other hosts as well.
        package var isPromiscuous = false
        /// Filter expression in tcpdump syntax; nil captures everything.
        package var filter: String?
        /// Number of packets after which the capture ends; nil for no limit.
        package var packetsMax: Int?

        package init(interface: String) { self.interface = interface }
    }

    /// Live packets from an interface, in the format of a capture file.
    package struct LiveSource: SampleableSource {
        private let handle: PcapHandle
        private let isStopped: @Sendable () -> Bool

        /// Starts the capture.
        ///
        /// - Parameter isStopped: checked while waiting. The capture ends once it returns true.
        /// - Throws: an error if the interface cannot be opened or the filter is invalid.
        package init(
            _ options: LiveOptions, isStopped: @escaping @Sendable () -> Bool
        ) throws(CaptureError) {
            handle = try PcapHandle(options)
            self.isStopped = isStopped
        }

        /// Number of packets lost because they were not read in time.
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
