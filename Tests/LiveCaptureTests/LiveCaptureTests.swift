// Without the trait there is nothing to test.
#if Capture
    import Capture
    import DialectFiles
    import DialectModel
    import Glibc
    import LiveCapture
    import Testing

    @Suite struct LiveCaptureTests {
        /// A raw IPv4 packet with a segment from a client.
        private static func packet(_ port: Int, _ text: String) -> [UInt8] {
            let tcp: [UInt8] =
                [
                    0xC3, 0x50, UInt8(port >> 8), UInt8(port & 255), 0, 0, 0, 1, 0, 0, 0, 1, 0x50,
                    0x18, 255, 255, 0, 0, 0, 0,
                ] + Array(text.utf8)
            let count = tcp.count + 20
            return [0x45, 0, UInt8(count >> 8), UInt8(count & 255), 0, 1, 0, 0, 64, 6, 0, 0]
                + [10, 0, 0, 1, 10, 0, 0, 2] + tcp
        }

        private static func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        /// A capture with raw IP or Ethernet packets.
        private static func capture(isEthernet: Bool) -> [UInt8] {
            var bytes = little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8)
            bytes += little(262_144, 4) + little(isEthernet ? 1 : 101, 4)
            for (port, text) in [(6667, "NICK alice\r\n"), (6668, "NICK bob\r\n"), (7, "PING\r\n")]
            {
                var packet = packet(port, text)
                if isEthernet { packet = [UInt8](repeating: 2, count: 12) + [8, 0] + packet }
                bytes += little(1_700_000_000, 4) + little(0, 4)
                bytes += little(packet.count, 4) + little(packet.count, 4) + packet
            }
            return bytes
        }

        private static func log<Source: CaptureSource>(
            _ source: Source, _ options: ReassemblyOptions
        ) throws -> String {
            let dialect = try DialectLibrary.find("irc").dialect
            var decoder = CaptureDecoder(
                source, LogWriter(CollectedText(), dialect, LogOptions()), BoundDialect(dialect),
                options)
            try decoder.run()
            decoder.finish()
            return String(
                decoding: (decoder.sink.target as? CollectedText)?.bytes ?? [], as: UTF8.self)
        }

        @Test(arguments: [true, false])
        func aFilterLetsThroughWhatOurOwnLetsThrough(isEthernet: Bool) throws {
            var filtered = ReassemblyOptions()
            filtered.packets = try PacketFilter("tcp port 6668 or port 6667")
            var chosen = ReassemblyOptions()
            chosen.ports = [6667, 6668]
            let capture = Self.capture(isEthernet: isEthernet)
            let text = try Self.log(MemorySource(capture), filtered)
            #expect(text.contains("alice") && text.contains("bob") && !text.contains("PING"))
            // Without chosen ports, the lines of each connection wait until it is clear which side
            // is the server, so their order differs.
            let lines = try [text, Self.log(MemorySource(capture), chosen)].map {
                $0.split(separator: "\n").sorted()
            }
            #expect(lines[0] == lines[1])
        }

        @Test func aFilterThatMeansNothingIsRefused() {
            #expect(throws: CaptureError.self) { _ = try PacketFilter("port sixty") }
        }

        @Test(.enabled(if: geteuid() == 0, "capturing needs root"))
        func anInterfaceThatDoesNotExistIsSaid() {
            #expect(throws: CaptureError.self) {
                _ = try LiveSource(LiveOptions(interface: "nowhere0")) { false }
            }
        }

        /// The handshake and one line, with everything the kernel adds.
        @Test(.enabled(if: geteuid() == 0, "capturing needs root"))
        func whatGoesOverLoopbackIsDecodedAsItGoes() throws {
            let server = try Listener()
            defer { server.close() }
            var options = LiveOptions(interface: "lo")
            options.filter = "tcp port \(server.port)"
            options.packetsMax = 4
            let source = try LiveSource(options) { false }
            server.hear("NICK alice\r\n")
            let text = try Self.log(source, ReassemblyOptions())
            #expect(text.contains("nick(nickname: \"alice\")"), "\(text)")
            #expect(source.dropped == 0)
        }
    }

    /// A loopback socket to which a client sends one line.
    private struct Listener {
        let descriptor: Int32
        let port: Int

        init() throws {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            descriptor = socket
            var address = Self.address(0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe bind(socket, pointer, size) == 0
                        && getsockname(socket, pointer, &size) == 0
                }
            }
            try #require(isBound && listen(socket, 1) == 0)
            port = Int(UInt16(bigEndian: address.sin_port))
        }

        private static func address(_ port: Int) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return address
        }

        func hear(_ text: String) {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(port)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe connect(client, pointer, size)
                }
            }
            let bytes = Array(text.utf8)
            _ = unsafe send(client, bytes, bytes.count, 0)
            _ = Glibc.close(client)
        }

        func close() { _ = Glibc.close(descriptor) }
    }
#endif
