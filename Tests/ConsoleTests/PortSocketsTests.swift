import Glibc
import Testing

@testable import Console

struct PortSocketsTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1A0B 00000000:0000 0A 00000000:00000005 00:00000000 00000000     0        0 1 1
           1: 0100007F:1A0B 0100007F:D431 01 00000010:000000FF 00:00000000 00000000     0        0 2 1
           2: 0100007F:D431 0100007F:1A0B 01 00000000:00001000 00:00000000 00000000     0        0 3 1
           3: 0100007F:1A0B 0100007F:D432 01 00000000:00000001 00:00000000 00000000     0        0 4 1
           4: 0100007F:1A0B 0100007F:D433 08 00000005:00000000 00:00000000 00000000     0        0 5 1
           5: 0100007F:1A0B 0100007F:D434 06 00000000:00000000 03:00000000 00000000     0        0 0 3
           6: 0100007F:1A0C 0100007F:D435 08 00000000:00000000 00:00000000 00000000     0        0 6 1
           7: 00000000000000000000000001000000:1A0B 00000000000000000000000001000000:1 05 0:2 00:0 0 0 0 7 1
        nonsense

        """

    @Test(arguments: [1, 7, 1_000])
    func aTableIsReadInParts(_ size: Int) {
        var table = SocketTable(localPort: 0x1A0B)
        let bytes = Array(Self.table.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let hasRoom = table.take(bytes[start..<min(start + size, bytes.count)])
            #expect(hasRoom)
        }
        let sockets = table.sockets
        #expect(
            sockets[.established]
                == PortSockets.Sum(count: 2, unreadBytes: 256, unacknowledgedBytes: 16))
        #expect(
            sockets[.closeWait]
                == PortSockets.Sum(count: 1, unreadBytes: 0, unacknowledgedBytes: 5))
        #expect(sockets[.timeWait].count == 1)
        #expect(sockets[.finWait2].unreadBytes == 2)
        #expect(sockets[.listen].count == 0)
    }

    @Test func aTableOfTooManyLinesIsNotRead() {
        var table = SocketTable(localPort: 1)
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 50_000)
        let results = [table.take(lines[...]), table.take(lines[..<1])]
        #expect(results == [true, false])
    }

    @Test(arguments: [0, -1, 65_536])
    func aNumberThatIsNoPortHasNoSockets(_ port: Int) {
        #expect(PortSockets(localPort: port) == nil)
    }

    /// The kernel lists the same sockets on request and in its tables.
    @Test(arguments: [AF_INET, AF_INET6])
    func socketsAreCountedByState(_ family: CInt) throws {
        let listener = socket(family, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        #expect(listen(listener, 8) == 0)
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &address) {
            _ = unsafe getsockname(
                listener, UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                &length)
        }
        // The port is at the same place in addresses of both families.
        let port = Int(UInt16(bigEndian: address.sin6_port))
        let clients = (0..<3).map { _ in socket(family, CInt(SOCK_STREAM.rawValue), 0) }
        let accepted = clients.map { client in
            unsafe withUnsafePointer(to: &address) {
                _ = unsafe connect(
                    client, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
            }
            return accept(listener, nil, nil)
        }
        defer { for file in accepted { close(file) } }
        let written = unsafe write(clients[0], "hello", 5)
        #expect(written == 5)
        close(clients[1])

        let sockets = try #require(PortSockets(localPort: port))
        #expect(sockets[.established].count == 2)
        #expect(sockets[.established].unreadBytes == 5)
        #expect(sockets[.closeWait].count == 1)
        #expect(sockets[.listen].count == 0)
        let tables = SocketTable(["/proc/net/tcp", "/proc/net/tcp6"], localPort: port)
        #expect(tables?.sockets == sockets)
        for client in [clients[0], clients[2]] { close(client) }
    }
}
