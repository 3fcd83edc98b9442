import FoundationEssentials
import Glibc

/// An unused port on 127.0.0.1, reserved for a server until this value is released.
///
/// A server needs a while to start, and no other server or client may take its port in the meantime.
/// Two servers that were started with the same port are hard to notice: some servers keep running
/// without a port, and their clients would talk to the other server. Therefore, ports that the
/// kernel gives to clients are avoided, and all Linejudge processes share one set of reservations:
/// sockets in the abstract namespace, which the kernel removes when a process ends.
final class ReservedPort: Sendable {
    /// Number of ports to try, chosen at random.
    private static let attemptsMax = 500
    /// Ports below this one often belong to services with well-known ports.
    private static let lowest = 10_000
    /// Minimum number of ports to choose from without using the kernel's ports for clients.
    private static let choiceMin = 1000

    let number: Int
    /// Descriptor of the socket that represents the reservation.
    private let reservation: CInt

    /// Reserves a port.
    ///
    /// - Returns: nil if there is no unused port.
    static func find() -> ReservedPort? {
        for _ in 0..<attemptsMax {
            guard let port = choice.randomElement(), let reservation = reserve(port) else {
                continue
            }
            if isUnused(port) { return ReservedPort(number: port, reservation: reservation) }
            close(reservation)
        }
        return nil
    }

    private init(number: Int, reservation: CInt) {
        self.number = number
        self.reservation = reservation
    }

    deinit { close(reservation) }

    /// The ports to choose from.
    private static let choice: [Int] = {
        let all = Array(lowest...65_535)
        let text = try? String(
            contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let bounds = (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return all }
        let others = all.filter { $0 < bounds[0] || $0 > bounds[1] }
        return others.count >= choiceMin ? others : all
    }()

    /// Returns the socket that represents the reservation; nil if the port is already reserved.
    private static func reserve(_ port: Int) -> CInt? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array("linejudge-port-\(port)".utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.count }
        guard let length else { return nil }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe boundSocket(AF_UNIX, pointer, length)
        }
    }

    private static func isUnused(_ port: Int) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let found = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe boundSocket(AF_INET, pointer, MemoryLayout<sockaddr_in>.size)
        }
        guard let found else { return false }
        close(found)
        return true
    }

    /// Returns a new socket with the given address; nil if the address is in use.
    private static func boundSocket<Address>(
        _ family: CInt, _ address: UnsafePointer<Address>, _ length: Int
    ) -> CInt? {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        let status = unsafe bind(
            descriptor, UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr.self),
            socklen_t(length))
        if status == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
