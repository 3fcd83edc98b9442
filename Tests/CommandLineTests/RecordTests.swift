import Foundation
import Testing

struct RecordTests {
    @Test func secretArgumentsAreMaskedOnTheTerminal() async throws {
        try await Files.with([:]) { folder in
            let server = try Command("serve", "--dialect", "irc").start()
            let address = try #require(try server.line().split(separator: "/").last)
            let recorder = try Command(
                "record", "--listen", "unix:\(folder.path)/in", "--server", "irc://\(address)",
                "--once", "--no-replay", "-o", "recorded/out.chat"
            ).within(folder).start()
            var client = Command([
                "-c",
                """
                import socket, sys, time
                for attempt in range(100):
                    try:
                        client = socket.socket(socket.AF_UNIX)
                        client.connect(sys.argv[1])
                        break
                    except OSError:
                        time.sleep(0.1)
                client.sendall(b"PASS hunter2xyz\\r\\nNICK al\\r\\nUSER al 0 * :al\\r\\n")
                while b" 001 " not in client.recv(65536):
                    pass
                client.close()
                """, "\(folder.path)/in",
            ])
            client.program = URL(filePath: "/usr/bin/python3")
            let sent = try await client.run()
            #expect(sent.status == 0, "\(sent.all)")
            let recorded = try await recorder.outcome()
            server.send(SIGTERM)
            _ = try await server.outcome()
            #expect(recorded.status == 0, "\(recorded.all)")
            #expect(recorded.errors.contains("-> PASS ***"), "\(recorded.all)")
            #expect(!recorded.all.contains("hunter2xyz"), "\(recorded.all)")
            let scenario = try Files.text(folder.appending(path: "recorded/out.chat"))
            #expect(scenario.contains("PASS {{password}}"), "\(scenario)")
            #expect(!scenario.contains("hunter2xyz"))
        }
    }
}
