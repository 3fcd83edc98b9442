/// Where written text goes.
public protocol TextSink {
    /// Takes bytes; they hold during the call only.
    mutating func write(_ bytes: UnsafeRawBufferPointer)
}

/// Keeps what is written.
public struct CollectedText: TextSink {
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// Nothing yet.
    public init() {}

    /// Takes bytes.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes.append(contentsOf: bytes)
    }
}
