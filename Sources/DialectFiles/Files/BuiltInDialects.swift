import CDialects

/// The built-in dialects: the files in `Dialects/`, which the target `CDialects` embeds.
enum BuiltInDialects {
    static let all: [(name: String, bytes: [UInt8])] = (0..<lj_dialect_count()).map { index in
        let file = unsafe lj_dialect(index)
        let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
        return unsafe (String(cString: file.name), Array(bytes))
    }
}
