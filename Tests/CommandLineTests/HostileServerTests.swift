import Foundation
import Glibc
import Testing

/// Servers and machines that refuse to cooperate.
struct HostileServerTests {
    /// A server that accepts connections, reads, and never sends anything. It prints its port, then
    /// a line for each connection.
    private static let silent = """
        import socket, sys, threading
        server = socket.create_server(("127.0.0.1", 0))
        print(server.getsockname()[1], flush=True)
        def drain(client):
            while client.recv(65536):
                pass
        while True:
            client, _ = server.accept()
            print("accepted", flush=True)
            threading.Thread(target=drain, args=(client,), daemon=True).start()
        """

    private static func python(_ script: String, _ arguments: String...) -> Command {
        var command = Command(["-c", script] + arguments)
        command.program = URL(filePath: "/usr/bin/python3")
        return command
    }

    @Test func checksOfASilentServerEndWithOneExplanation() async throws {
        let server = try Self.python(Self.silent).start()
        let port = try server.line()
        let outcome = try await Command("check", "--server", "irc://127.0.0.1:\(port)").run()
        server.send(SIGKILL)
        _ = try await server.outcome()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.contains("sends nothing within 10.0 s of a login"), "\(outcome.all)")
    }

    @Test func aSignalEndsTheSurveyOfASilentServer() async throws {
        try await Files.with { folder in
            let server = try Self.python(Self.silent).start()
            let port = try server.line()
            let check = try Command(
                "check", "--server", "irc://127.0.0.1:\(port)", "--report", "json=check.json"
            ).within(folder).start()
            #expect(try server.line() == "accepted")
            check.send(SIGINT)
            let outcome = try await check.outcome()
            server.send(SIGKILL)
            _ = try await server.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "check.json"))
            #expect(report.contains("\"interruption\" : \"interrupted\""))
        }
    }

    /// Opens connections until the server is at its limit, waits while the server's CPU time is
    /// measured, then closes them and logs in.
    private static let crowd = """
        import os, socket, sys, time
        port, pid = int(sys.argv[1]), sys.argv[2]
        def ticks():
            fields = open("/proc/%s/stat" % pid).read().rsplit(") ", 1)[1].split()
            return int(fields[11]) + int(fields[12])
        clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        time.sleep(0.5)
        before = ticks()
        time.sleep(1)
        print((ticks() - before) / os.sysconf("SC_CLK_TCK"), flush=True)
        for client in clients:
            client.close()
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"NICK al\\r\\nUSER al 0 * :al\\r\\n")
        client.settimeout(60)
        while b" 001 " not in client.recv(65536):
            pass
        print("served", flush=True)
        """

    @Test func aServerAtItsLimitOfOpenFilesIsIdleAndRecovers() async throws {
        var command = Command(
            "-c", "ulimit -n 48; exec \"$LJ\" serve --dialect irc")
        command.program = URL(filePath: "/bin/sh")
        let server = try command.with(environment: ["LJ": Command.executable.path]).start()
        let address = try server.line()
        let port = String(try #require(address.split(separator: ":").last))
        let crowd = try await Self.python(
            Self.crowd, port, String(server.process.id)
        ).run()
        server.send(SIGTERM)
        _ = try await server.outcome()
        let lines = crowd.output.split(separator: "\n")
        #expect(lines.last == "served", "\(crowd.all)")
        let share = try #require(lines.first.flatMap { Double($0) }, "\(crowd.all)")
        #expect(share < 0.5)
    }
}
