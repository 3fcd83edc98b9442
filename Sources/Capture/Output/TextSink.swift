/// Where written text goes.
package protocol TextSink {
    /// Takes bytes; they hold during the call only.
    mutating func write(_ bytes: UnsafeRawBufferPointer)
}

/// Keeps what is written.
package struct CollectedText: TextSink {
    /// Everything written so far.
    package private(set) var bytes: [UInt8] = []

    /// Nothing yet.
    package init() {}

    /// Takes bytes.
    package mutating func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes.append(contentsOf: bytes)
    }
}
