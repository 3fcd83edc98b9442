import Glibc

/// A search for an unused port.
enum FreePort {
    /// Returns a currently unused port on 127.0.0.1; nil if there is none. The kernel chooses the
    /// port at random, so two calls rarely return the same port.
    static func find() -> Int? {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let status = unsafe bind(descriptor, pointer, length)
                return status == 0 ? unsafe getsockname(descriptor, pointer, &length) : status
            }
        }
        return status == 0 ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
