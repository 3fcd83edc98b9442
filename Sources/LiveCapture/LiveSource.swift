#if Capture
    package import Capture

    /// Options of live capture.
    package struct LiveOptions: Sendable {
        /// Largest packet that can be captured whole.
        package static let snapLengthMax = 262_144
        /// Size of the kernel's capture buffer.
        static let bufferBytes: Int32 = 16 << 20
        /// Interval for checking `isStopped` while waiting, in milliseconds.
        static let waitMilliseconds: Int32 = 100

        /// Network interface: `lo`, `eth0`, `any`.
        package var interface: String
        /// Bytes captured per packet.
        package var snapLength = snapLengthMax
        /// True to capture packets addressed to other hosts.
        package var isPromiscuous = false
        /// Filter expression in tcpdump syntax; nil captures everything.
        package var filter: String?
        /// Number of packets after which the capture ends; nil for no limit.
        package var packetsMax: Int?

        package init(interface: String) { self.interface = interface }
    }

    /// Live packets of an interface, in the format of a capture file.
    package struct LiveSource: SampleableSource {
        private let handle: PcapHandle
        private let isStopped: @Sendable () -> Bool

        /// Starts the capture.
        ///
        /// - Parameter isStopped: checked while waiting; the capture ends once it returns true.
        /// - Throws: if the interface cannot be opened or the filter is invalid.
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
