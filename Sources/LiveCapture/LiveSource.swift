#if Capture
    package import Capture

    /// How packets are taken off an interface.
    package struct LiveOptions: Sendable {
        /// The longest packet that is taken whole.
        package static let snapLengthMax = 262_144
        /// What the kernel may hold until it is read.
        static let bufferBytes: Int32 = 16 << 20
        /// How long a wait lasts before it is looked whether an end is wanted, in milliseconds.
        static let waitMilliseconds: Int32 = 100

        /// What is heard: `lo`, `eth0`, `any`.
        package var interface: String
        /// So many bytes of each packet.
        package var snapLength = snapLengthMax
        /// Whether packets for others are taken, too.
        package var isPromiscuous = false
        /// A filter in the language of tcpdump; nil: everything.
        package var filter: String?
        /// After so many packets it ends; nil: it does not.
        package var packetsMax: Int?

        /// Everything that goes over the interface.
        package init(interface: String) { self.interface = interface }
    }

    /// Packets as they go over an interface, in the form of a capture file.
    package struct LiveSource: SampleableSource {
        private let tap: Tap
        private let isStopped: @Sendable () -> Bool

        /// Begins to capture.
        ///
        /// - Parameter isStopped: asked while nothing comes; the capture ends once it is true.
        /// - Throws: why the interface cannot be listened to.
        package init(
            _ options: LiveOptions, isStopped: @escaping @Sendable () -> Bool
        ) throws(CaptureError) {
            tap = try Tap(options)
            self.isStopped = isStopped
        }

        /// How many packets were lost because they were not read in time.
        package var dropped: Int { tap.dropped }

        /// Whether something can be read now.
        package var isReady: Bool { tap.isReady }

        /// Writes the next bytes into `room`.
        package mutating func read(
            into room: UnsafeMutableRawBufferPointer
        ) throws(CaptureError) -> Int {
            while tap.isEmpty {
                if tap.isFull || isStopped() { return 0 }
                try tap.gather()
            }
            return unsafe tap.move(into: room)
        }
    }
#endif
