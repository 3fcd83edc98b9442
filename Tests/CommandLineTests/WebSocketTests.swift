import Foundation
import Testing

/// Commands over WebSocket.
struct WebSocketTests {
    /// Runs `body` while the reference server listens on a WebSocket, with the server's URL.
    private func withServer<Result>(
        _ dialect: String, path: String = "", _ options: [String] = [],
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let server = try Command(
            ["serve", "--dialect", dialect, "--listen", "ws://127.0.0.1:0\(path)"] + options
        ).start()
        defer { server.kill() }
        let line = try server.line()
        #expect(line.hasPrefix("listening on ws"), "\(line)")
        return try await body(String(line.dropFirst("listening on ".count)))
    }

    @Test(arguments: [("irc", "ping"), ("nats", "publish"), ("jsonl", "talk")])
    func scenariosPass(dialect: String, name: String) async throws {
        let file = Files.root.appending(path: "Scenarios/\(dialect)/\(name).chat")
        try await withServer(dialect) { url in
            let outcome = try await Command(
                "run", file.path, "--server", url, "--segment", "whole",
                "--segment", "byte"
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    @Test func aConversationIsRecordedAndReplayed() async throws {
        let scenario = """
            dialect   irc
            operators alice, bob

            use login

            alice -> PRIVMSG bob :hello, world
            bob   <- :alice!{{_}} PRIVMSG bob :hello, world
            alice -> QUIT :bye
            bob   -> QUIT :bye

            """
        try await withServer("irc", path: "/chat") { url in
            try await Files.with(["talk.chat": scenario]) { folder in
                let recorder = try Command(
                    "record", "--dialect", "irc", "--listen", "ws://127.0.0.1:0", "--server", url,
                    "--once", "-o", "out.chat", "--quiet"
                ).within(folder).start()
                let line = try recorder.errorLine()
                let words = line.split(separator: " ")
                let address = String(try #require(words.first { $0.hasPrefix("ws://") }))
                let outcome = try await Command("run", "talk.chat", "--server", address)
                    .within(folder).run()
                #expect(outcome.status == 0, "\(outcome.all)")
                let recorded = try await recorder.outcome()
                #expect(recorded.status == 0, "\(line)\n\(recorded.all)")
                let text = try Files.text(folder.appending(path: "out.chat"))
                #expect(text.contains("alice -> PRIVMSG bob :hello, world\n"), "\(text)")
            }
        }
    }

    @Test func aLoadInSeveralProcessesLosesNothing() async throws {
        try await withServer("irc", path: "/chat") { url in
            let outcome = try await Command(
                "load", "--dialect", "irc", "--server", url + "?token=hushhush", "--operators",
                "20", "--rate", "50/s", "--for", "1s", "--processes", "2"
            ).run()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains(" 0 lost"), "\(outcome.all)")
            #expect(!outcome.all.contains("hushhush"), "\(outcome.all)")
        }
    }

    @Test(arguments: [["run"], ["check", "--only", "pipe"], ["load", "--operators", "2"]])
    func aWrongPathIsOneClearError(_ words: [String]) async throws {
        try await withServer("irc", path: "/chat") { url in
            let wrong = url.replacing("/chat", with: "/other?token=hushhush")
            let scenario = Files.root.appending(path: "Scenarios/irc/ping.chat").path
            let arguments = words == ["run"] ? words + [scenario] : words + ["--dialect", "irc"]
            let outcome = try await Command(arguments + ["--server", wrong]).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            let reason =
                "the server refused the WebSocket at /other with HTTP status 404 Not Found"
            #expect(outcome.all.contains(reason), "\(outcome.all)")
            #expect(outcome.all.contains("check the port and the path"), "\(outcome.all)")
            #expect(!outcome.all.contains("hushhush"), "\(outcome.all)")
        }
    }

    @Test func checksOfHalfClosesDoNotApply() async throws {
        try await withServer("livechat") { url in
            let outcome = try await Command(
                "check", "--dialect", "livechat", "--server", url, "--only", "half", "--only",
                "frame.eof", "--repeat", "0"
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            let reason = "a WebSocket cannot be closed in one direction"
            #expect(outcome.output.contains(reason), "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ("ws://127.0.0.1:x", "a port must be a number from 0 to 65535"),
        (
            "ws://127.0.0.1:0/#frame=text",
            "unknown WebSocket option `frame`; did you mean `frames`?"
        ),
        ("wss://127.0.0.1:0", "wss:// requires --tls-cert and --tls-key"),
    ])
    func aBadListenAddressIsRefused(address: String, message: String) async throws {
        for command in ["serve", "record"] {
            let outcome = try await Command(command, "--dialect", "irc", "--listen", address).run()
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }
}
