import Glibc

/// The error number (`errno`) of a failed system call.
package struct SystemError: Error, CustomStringConvertible {
    package let code: CInt

    package init(_ code: CInt) { self.code = code }

    /// The system's description of the error, such as `No space left on device`.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
