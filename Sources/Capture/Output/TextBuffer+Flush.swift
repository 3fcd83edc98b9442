extension TextBuffer {
    /// Writes the text to the target and empties the buffer.
    mutating func flush(to target: inout any TextSink) {
        guard count > 0 else { return }
        unsafe withBytes { unsafe target.write($0) }
        removeAll()
    }
}
