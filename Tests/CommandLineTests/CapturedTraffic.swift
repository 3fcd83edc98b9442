import Foundation
import Glibc

/// Traffic on the loopback interface that tests capture with tcpdump.
enum CapturedTraffic {
    /// True if this process may capture traffic.
    static let isPossible =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/tcpdump")

    /// Captures the traffic of a server while `body` runs. Returns the path of the capture.
    static func capture(port: Int, in folder: URL, _ body: () async throws -> Void) async throws
        -> String
    {
        let path = folder.appending(path: "trace.pcap").path
        var dump = Command(
            "-i", "lo", "-U", "--immediate-mode", "-B", "16384", "-w", path, "tcp port \(port)")
        dump.program = URL(filePath: "/usr/bin/tcpdump")
        let running = try dump.start()
        // The packets that follow this line are captured.
        while try !running.errorLine().contains("listening on") {}
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try await waitForEnd(of: path, port: port)
        running.send(SIGINT)
        _ = try await running.outcome()
        try result.get()
        return path
    }

    /// Waits until the capture contains everything so far: sends a line on a connection of its own,
    /// until the capture contains that line.
    private static func waitForEnd(of path: String, port: Int) async throws {
        let marker = "end-of-the-capture"
        var sender = Command(
            "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); echo \(marker) >&3; sleep 0.1")
        sender.program = URL(filePath: "/bin/bash")
        for _ in 0..<100 {
            _ = try await sender.run()
            let bytes = try Data(contentsOf: URL(filePath: path))
            if bytes.range(of: Data(marker.utf8)) != nil { return }
        }
        throw Failure(text: "the capture does not contain the last line")
    }

    /// Runs a scenario against the reference server while its traffic is captured, and calls `body`
    /// with the path of the capture.
    static func ofReferenceServer(
        _ dialect: String, _ options: [String], scenario: String, isPassing: Bool = true,
        _ body: (String) async throws -> Void
    ) async throws {
        try await Files.with { folder in
            let server = try Command(["serve", "--dialect", dialect] + options).start()
            defer { server.send(SIGTERM) }
            let line = try server.line()
            let address = line.split(separator: " ").last.map(String.init) ?? ""
            let port = Int(address.split(separator: ":").last ?? "") ?? 0
            let file = folder.appending(path: "talk.chat")
            try Data(scenario.utf8).write(to: file)
            let path = try await capture(port: port, in: folder) {
                let run = try await Command("run", file.path, "--server", address).run()
                if isPassing, run.status != 0 { throw Failure(text: run.all) }
            }
            try await body(path)
        }
    }

    /// Runs a scenario against ngIRCd while its traffic is captured, and calls `body` with the path
    /// of the capture.
    static func ofNgircd(scenario: String, _ body: (String) async throws -> Void) async throws {
        try await Files.with { folder in
            let file = folder.appending(path: "talk.chat")
            try Data(scenario.utf8).write(to: file)
            let port = try freePort()
            var start = Command("\(port)", folder.appending(path: "ngircd").path)
            start.program = Files.root.appending(path: "scripts/servers/ngircd.sh")
            let server = try start.start()
            defer { server.send(SIGTERM) }
            let path = try await capture(port: port, in: folder) {
                let run = try await Command(
                    "run", file.path, "--server", "127.0.0.1:\(port)", "--wait", "30s"
                ).run()
                if run.status != 0 { throw Failure(text: run.all) }
            }
            try await body(path)
        }
    }

    /// Returns a port on which no server listens.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        if !isBound { throw Failure(text: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// A scenario that could not be run.
    struct Failure: Error { var text: String }

    /// A scenario in which three members of a room talk, and one client stays outside. Probes make
    /// sure that all lines arrive before the end.
    static func talk(_ dialect: String, messages: Int = 12) -> String {
        var lines = [
            "title     Three members of a room talk", "dialect   \(dialect)",
            "operators alice, bob, carol, dave", "", "use login",
            "use enter as alice, bob, carol (room: 7)", "sync",
        ]
        for number in 0..<messages {
            // Each sends two messages in a row, which a server could swap.
            let name = ["alice", "bob", "carol"][number / 2 % 3]
            lines.append("use say as \(name) (room: 7, text: \"message number \(number)\")")
            if number % 4 == 3 { lines.append("sync") }
        }
        lines += ["sync", "sync"]
        return lines.joined(separator: "\n") + "\n"
    }
}
