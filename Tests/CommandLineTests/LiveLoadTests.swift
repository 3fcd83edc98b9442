import Foundation
import Testing

/// The page that `load --live` serves.
@Suite(.serialized) struct LiveLoadTests {
    private static let options = [
        "load", "--operators", "20", "--rate", "100/s", "--for", "600s", "--color", "never",
    ]

    /// Returns the address of the live page.
    private func address(_ running: Running) throws -> String {
        _ = try running.line()
        return String(try running.line().dropFirst("live page at ".count))
    }

    @Test(arguments: [[], ["--processes", "2"]])
    func pageShowsWhatTheResultsContainAndItsButtonsWork(_ more: [String]) async throws {
        try await Files.with { folder in
            let running = try Command(
                Self.options + ["--live", "--report", "json=load.json"] + more
            ).within(folder).start()
            let url = try address(running)
            let tool = Files.root.appending(path: "Tests/CommandLineTests/Tools/live.py").path
            var watch = Command("timeout", "200", "python3", tool, url, "load.json")
            watch.program = URL(filePath: "/usr/bin/env")
            let watched = try await watch.within(folder).run()
            #expect(watched.status == 0, "\(watched.all)")
            let outcome = try await running.outcome()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("paused manually once"), "\(outcome.all)")
            try await LoadSchema.validate("load.json", in: folder)
        }
    }

    @Test func clientsThatDoNotReadChangeNothing() async throws {
        let running = try Command(
            ["load", "--operators", "10", "--rate", "50/s", "--for", "2s", "--live"]
        ).start()
        let url = try address(running)
        let port = try #require(url.split(separator: ":").last?.split(separator: "/").first)
        // Each client subscribes and then neither reads nor closes.
        var stuck = Command(
            "bash", "-c",
            "for i in 1 2 3 4 5; do exec {client}<>/dev/tcp/127.0.0.1/\(port); "
                + "printf 'GET /events HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n' >&$client; "
                + "done; sleep 3")
        stuck.program = URL(filePath: "/usr/bin/env")
        _ = try await stuck.run()
        let outcome = try await running.outcome()
        #expect([0, 2].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.output.contains("100 sent in 2.00 s"), "\(outcome.all)")
    }

    /// An IRC server that adds markup to every message, and sends markup in its other lines.
    private static let hostile = """
        import socket, threading
        MARKUP = b"<img src=x onerror=window.pwned=1><script>window.pwned=1</script>&lt;\\"'><svg onload=window.pwned=1>"
        rooms, lock = {}, threading.Lock()
        def serve(client):
            name, joined, data = b"*", b"", b""
            while True:
                piece = client.recv(65536)
                if not piece:
                    break
                data += piece
                while b"\\r\\n" in data:
                    line, data = data.split(b"\\r\\n", 1)
                    words = line.split(b" ")
                    verb = words[0].upper()
                    with lock:
                        if verb == b"NICK":
                            name = words[1]
                        elif verb == b"USER":
                            client.sendall(b":s 001 %s :%s\\r\\n" % (name, MARKUP))
                        elif verb == b"PING":
                            client.sendall(b":s PONG s %s\\r\\n" % words[1])
                        elif verb == b"JOIN":
                            joined = words[1]
                            rooms.setdefault(joined, []).append(client)
                            client.sendall(b":s 366 %s %s :end\\r\\n" % (name, joined))
                        elif verb == b"PRIVMSG":
                            room, text = words[1], line.split(b" :", 1)[-1]
                            for other in rooms.get(room, []):
                                if other is not client:
                                    other.sendall(b":%s!u@h PRIVMSG %s :%s%s\\r\\n" % (name, room, text, MARKUP))
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        while True:
            client, _ = server.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()
        """

    @Test func markupFromTheServerDoesNothingInThePage() async throws {
        var script = Command("-c", Self.hostile)
        script.program = URL(filePath: "/usr/bin/python3")
        let server = try script.start()
        let port = try server.line()
        let running = try Command(
            "load", "--server", "irc://127.0.0.1:\(port)", "--operators", "6", "--room-size", "3",
            "--rate", "20/s", "--for", "600s", "--live", "--color", "never"
        ).start()
        let url = try address(running)
        let tool = Files.root.appending(path: "Tests/CommandLineTests/Tools/live.py").path
        var watch = Command("timeout", "200", "python3", tool, "--hostile", url)
        watch.program = URL(filePath: "/usr/bin/env")
        let watched = try await watch.run()
        #expect(watched.status == 0, "\(watched.all)")
        running.send(SIGTERM)
        let outcome = try await running.outcome()
        #expect(outcome.status == 143, "\(outcome.all)")
        server.send(SIGKILL)
        _ = try await server.outcome()
    }

    @Test func aPublicAddressNeedsATokenAndPrintsAWarning() async throws {
        let running = try Command(Self.options + ["--live", "0.0.0.0:0"]).start()
        let url = try address(running)
        #expect(url.contains("/?token="))
        let refused = try await curl(String(url.prefix { $0 != "?" }))
        #expect(refused == "403")
        #expect(try await curl(url) == "200")
        running.send(SIGTERM)
        let outcome = try await running.outcome()
        #expect(outcome.errors.contains("warning: anyone who knows"), "\(outcome.all)")
    }

    @Test(arguments: ["127.0.0.1:99999", "host:", "unix:/tmp/live"])
    func anAddressThatIsNoneIsRefused(_ address: String) async throws {
        let outcome = try await Command("load", "--live", address).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("--live cannot use this address"))
    }

    @Test func aValueThatIsNoAddressIsRefused() async throws {
        let outcome = try await Command("load", "--live=text").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("invalid value `text` for --live"))
        #expect(outcome.errors.contains("expected HOST:PORT"))
    }

    @Test func aPlanMayFollowTheOption() async throws {
        let outcome = try await Command("load", "--live", "nowhere.yaml").run()
        #expect(outcome.status == 66, "\(outcome.all)")
        #expect(outcome.errors.contains("`nowhere.yaml`"))
    }

    /// Returns the status of a request.
    private func curl(_ url: String) async throws -> String {
        var curl = Command("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url)
        curl.program = URL(filePath: "/usr/bin/env")
        return try await curl.run().output
    }
}
