import Foundation
import Glibc
import Testing

/// Traffic of scenarios captured on the loopback interface, compared with the clients' transcripts.
@Suite(.serialized) struct CapturedTrafficTests {
    /// Capturing requires privileges that not every user has.
    @Test(.enabled(if: geteuid() == 0, "capturing needs root"))
    func decodedLinesAreThoseThatClientsLogged() async throws {
        try await Files.with { folder in
            let trace = folder.appending(path: "trace.pcap").path
            let dumping = try Self.dump(to: trace)
            let names = ["join-part", "private-message", "channel-message", "nickname-change"]
            var command = Command(
                ["run"] + names.map { "Scenarios/irc/\($0).chat" } + [
                    "--exec", "scripts/servers/ngircd.sh {{port}} {{dir}}", "--transcript",
                    "--format", "json",
                ])
            command.environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
            let run = try await command.within(Files.root).run()
            try await Self.catchUp(trace)
            dumping.send(SIGTERM)
            _ = try await dumping.outcome()
            let decoded = try await Command(
                "decode", trace, "--dialect", "irc", "--format", "json", "--secrets"
            ).run()
            let logged = try Self.logged(run.output)
            let captured = try Self.captured(decoded.output)
            #expect(logged.count > 50, "\(run.all)")
            for (line, count) in logged {
                #expect(captured[line, default: 0] >= count, "\(line)")
            }
        }
    }

    private static func dump(to trace: String) throws -> Running {
        // Test threads block signals, and child processes would inherit that. The buffer (KiB)
        // holds the traffic of all other tests while this one waits for the CPU.
        let unblock =
            "use POSIX; sigprocmask(SIG_SETMASK, POSIX::SigSet->new()); exec {$ARGV[0]} @ARGV"
        var dump = Command(
            "-e", unblock, "/usr/bin/tcpdump", "-i", "lo", "-U", "--immediate-mode", "-Z", "root",
            "-B", "262144", "-w", trace, "tcp")
        dump.program = URL(filePath: "/usr/bin/perl")
        let dumping = try dump.start()
        _ = try dumping.errors.fileHandleForReading.read(upToCount: 1)
        return dumping
    }

    /// Waits until the last line of the scenario is in the trace.
    private static func catchUp(_ trace: String) async throws {
        let say = """
            import socket, sys, time
            mark = b'the end of the trace'
            server = socket.create_server(('127.0.0.1', 0))
            socket.create_connection(server.getsockname()).sendall(mark)
            latest = time.monotonic() + 60
            while mark not in open(sys.argv[1], 'rb').read() and time.monotonic() < latest:
                time.sleep(0.05)
            """
        var command = Command("-c", say, trace)
        command.program = URL(filePath: "/usr/bin/env")
        command.arguments.insert("python3", at: 0)
        command.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
        _ = try await command.run()
    }

    /// A scenario, the server that it runs against, and the variables that both need.
    private struct Traffic: Sendable {
        var dialect: String
        var scenario: String
        /// The command after `exec`, with the port in `$1` and a folder in `$2`.
        var server: String
        var password = ""

        init(_ scenario: String, _ script: String? = nil, password: String = "") {
            dialect = String(scenario.prefix { $0 != "/" })
            self.scenario = "Scenarios/\(scenario).chat"
            server =
                script.map { "scripts/servers/\($0).sh $1 $2" }
                ?? "\(Command.executable.path) serve --dialect \(dialect) --listen 127.0.0.1:$1"
            self.password = password
        }
    }

    private static let traffic = [
        Traffic("irc/channel-message"), Traffic("irc/join-part", "ngircd"),
        Traffic("irc/channel-message", "inspircd"), Traffic("livechat/relay"),
        Traffic("msnp/conversation", password: "third"), Traffic("plain/relay"),
        Traffic("teamspeak/channel-text"), Traffic("jsonl/talk"),
        Traffic("nats/publish", "nats-server"), Traffic("redis/publish", "redis"),
        Traffic("memcached/values", "memcached"), Traffic("beanstalkd/jobs", "beanstalkd"),
        Traffic("smtp/mail", "aiosmtpd"), Traffic("nntp/post", "inn"),
        Traffic("pop3/mailbox", "dovecot-pop3", password: "sesame"),
        Traffic("stomp/receipt", "coilmq"), Traffic("mud/who", "tinymux", password: "tea-and-milk"),
    ]

    /// Runs a scenario of each dialect, captures its traffic, and runs the scenario that `decode`
    /// writes from it against a fresh server.
    @Test(.enabled(if: geteuid() == 0, "capturing needs root"))
    func scenariosFromTrafficPassAgainstFreshServers() async throws {
        try await Files.with { folder in
            let trace = folder.appending(path: "trace.pcap").path
            let dumping = try Self.dump(to: trace)
            try await Self.forEachTraffic { traffic, name in
                let run = try await Self.run(traffic, traffic.scenario, named: name, in: folder)
                #expect(run.status == 0, "\(traffic.scenario): \(run.all)")
            }
            try await Self.catchUp(trace)
            dumping.send(SIGTERM)
            _ = try await dumping.outcome()
            try await Self.forEachTraffic { traffic, name in
                let ports = try Files.text(folder.appending(path: "\(name).sh.ports"))
                let port = ports.split(separator: "\n").first.map(String.init) ?? ""
                let written = folder.appending(path: "\(name).chat").path
                let decoded = try await Command(
                    "decode", trace, "--dialect", traffic.dialect, "--port", port, "--as",
                    "scenario", "-o", written
                ).run()
                #expect(decoded.status == 0, "\(traffic.scenario): \(decoded.all)")
                let replayed = try await Self.run(traffic, written, named: name, in: folder)
                #expect(replayed.status == 0, "\(traffic.scenario): \(replayed.all)")
            }
        }
    }

    /// Calls `body` with each kind of traffic and a name for its files, four at a time.
    private static func forEachTraffic(
        _ body: @escaping @Sendable (Traffic, String) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, traffic) in traffic.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask { try await body(traffic, "traffic-\(index)") }
            }
            try await group.waitForAll()
        }
    }

    private static func run(
        _ traffic: Traffic, _ scenario: String, named name: String, in folder: URL
    ) async throws -> Command.Outcome {
        let script = folder.appending(path: "\(name).sh").path
        try Data("#!/bin/sh\necho $1 >>\"$0.ports\"\nexec \(traffic.server)\n".utf8)
            .write(to: URL(filePath: script))
        return try await Command(
            "run", scenario, "--exec", "sh '\(script)' {{port}} {{dir}}"
        ).with(environment: [
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LINEJUDGE_SECRET_password": traffic.password,
            "LINEJUDGE_SECRET_third": traffic.password,
            "LINEJUDGE_SECRET_third2": traffic.password,
        ]).within(Files.root).run()
    }

    private static func logged(_ text: String) throws -> [String: Int] {
        let results = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        var counts: [String: Int] = [:]
        for scenario in results?["scenarios"] as? [[String: Any]] ?? [] {
            for entry in scenario["transcript"] as? [[String: Any]] ?? [] {
                guard let kind = entry["kind"] as? String, let bytes = entry["bytes"] as? String
                else { continue }
                if kind == "sent" { counts["client \(bytes)", default: 0] += 1 }
                if kind == "received" { counts["server \(bytes)", default: 0] += 1 }
            }
        }
        return counts
    }

    private static func captured(_ text: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let from = event?["from"] as? String, let line = event?["line"] as? String else {
                continue
            }
            counts["\(from) \(line)", default: 0] += 1
        }
        return counts
    }
}
