/// A receiver of text output.
package protocol TextSink {
    /// Writes bytes, which are valid only during the call.
    mutating func write(_ bytes: UnsafeRawBufferPointer)
}

/// A sink that collects text in memory.
package struct CollectedText: TextSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes.append(contentsOf: bytes)
    }
}
