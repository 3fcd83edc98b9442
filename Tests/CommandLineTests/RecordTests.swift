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

    /// A written scenario runs where it was written, even if its dialect is a file elsewhere.
    @Test(arguments: [
        ("out/written.chat", "../mine/own.yaml"), ("written.chat", "mine/own.yaml"),
        ("mine/written.chat", "own.yaml"),
    ])
    func aScenarioRefersToItsDialectFile(path: String, reference: String) async throws {
        let files = ["mine/own.yaml": "name: other\nbased-on: irc\n"]
        try await Files.with(files) { folder in
            let capture = folder.appending(path: "talk.pcap")
            try Data(CaptureFile.bytes("NICK alice\r\nPING 1\r\n")).write(to: capture)
            let written = try await Command(
                "decode", "talk.pcap", "--dialect", "mine/own.yaml", "--as", "scenario", "-o", path
            ).within(folder).run()
            #expect(written.status == 0, "\(written.all)")
            let text = try Files.text(folder.appending(path: path))
            #expect(text.contains("\ndialect   \(reference)\n"), "\(text)")
            let checked = try await Command("lint", path).within(folder).run()
            #expect(checked.status == 0, "\(checked.all)")
        }
    }
}
