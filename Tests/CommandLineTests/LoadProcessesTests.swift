import Foundation
import Glibc
import Testing

/// The results file of a load.
struct LoadFigures {
    private let all: [String: Any]

    init(_ file: URL) throws {
        all =
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    /// The number at a path such as `traffic.sent`.
    subscript(path: String) -> Int? { value(path) as? Int }

    /// The text at a path.
    func text(_ path: String) -> String? { value(path) as? String }

    private func value(_ path: String) -> Any? {
        path.split(separator: ".").reduce(all as Any?) { ($0 as? [String: Any])?[String($1)] }
    }

    /// The number of violations by kind.
    var violations: [String: Int] {
        (value("ledger.violations") as? [String: Int] ?? [:]).filter { $0.value > 0 }
    }

    /// The sum over all seconds.
    func total(_ name: String) -> Int {
        (all["seconds"] as? [[String: Any]] ?? []).reduce(0) { $0 + ($1[name] as? Int ?? 0) }
    }

    /// The number of samples of a metric.
    func count(_ metric: String) -> Int? {
        let latencies = all["latencies"] as? [[String: Any]] ?? []
        let found = latencies.first { $0["measure"] as? String == metric }
        return (found?["response"] as? [String: Any])?["count"] as? Int
    }

    /// The remarks about the generator.
    var limits: [String] { value("generator.limits") as? [String] ?? [] }
}

/// `linejudge load --processes` through the executable.
@Suite(.serialized) struct LoadProcessesTests {
    /// The child processes of a process.
    private static func children(of process: Running) -> [Int32] {
        let id = process.process.id
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
        return tasks.flatMap { task in
            let file = "/proc/\(id)/task/\(task)/children"
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Waits until it has this number of children.
    private static func children(of process: Running, count: Int) async throws -> [Int32] {
        for _ in 0..<6_000 {
            let found = children(of: process)
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(10))
        }
        return children(of: process)
    }

    /// Whether a process exists and is not a zombie.
    private static func runs(_ id: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return status.map { !$0.contains(") Z ") } ?? false
    }

    private static func areGone(_ ids: [Int32]) async throws -> Bool {
        for _ in 0..<6_000 {
            if !ids.contains(where: runs) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test(arguments: ["livechat", "irc"])
    func severalProcessesCountAsOneWould(dialect: String) async throws {
        try await Files.with { folder in
            let load = [
                "load", "--dialect", dialect, "--operators", "40", "--room-size", "10", "--rate",
                "100/s", "--for", "2s", "--seed", "7", "--quiet",
            ]
            for (name, how) in [("one", ["--workers", "4"]), ("four", ["--processes", "4"])] {
                let outcome = try await Command(load + how + ["--report", "json=\(name).json"])
                    .within(folder).run()
                #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            }
            let one = try LoadFigures(folder.appending(path: "one.json"))
            let four = try LoadFigures(folder.appending(path: "four.json"))
            for path in [
                "asked.operators", "asked.rooms", "asked.workers", "operators.ready",
                "traffic.sent", "traffic.owed", "traffic.delivered", "traffic.sentEver",
            ] {
                #expect(one[path] == four[path], "\(path)")
            }
            #expect(four["operators.ready"] == 40)
            #expect(four["traffic.sent"] == 200)
            #expect(four["traffic.delivered"] == 1_800)
            #expect(four["asked.processes"] == 4)
            #expect(four.count("say") == 1_800)
            #expect(four.count("login") == 40)
            #expect(four.total("sent") == 200)
            #expect(four.total("arrived") == 1_800)
            #expect(four.violations == [:])
        }
    }

    @Test(arguments: [("drop", "lost"), ("duplicate", "duplicate"), ("leak", "leaked")])
    func whatSeveralProcessesFindIsWhatTheServerDid(fault: (String, String)) async throws {
        let server = try Command(
            "serve", "--dialect", "irc", "--fault", "\(fault.0):5%", "--metrics", "127.0.0.1:0"
        ).start()
        let url = String(try server.line().dropFirst("listening on ".count))
        let metrics = String(try server.line().dropFirst("metrics at ".count))
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--server", url, "--dialect", "irc", "--operators", "24", "--room-size",
                "8", "--rate", "300/s", "--for", "1500ms", "--quiet", "--processes", "3",
                "--report", "json=load.json"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let injected = try await Metrics.faults(fault.0, at: metrics)
            #expect(injected > 0)
            let found = try LoadFigures(folder.appending(path: "load.json")).violations
            #expect(found == [fault.1: injected])
        }
        server.send(SIGTERM)
        _ = try await server.outcome()
    }

    @Test func whoEndsSeveralProcessesGetsTheReportAndNoneIsLeft() async throws {
        try await Files.with { folder in
            let running = try Command([
                "load", "--operators", "30", "--for", "600s", "--processes", "3", "--color",
                "never", "--metrics", "127.0.0.1:0", "--report", "json=load.json",
            ]).within(folder).start()
            _ = try running.line()
            let metrics = String(try running.line().dropFirst("metrics at ".count))
            let children = try await Self.children(of: running, count: 3)
            #expect(children.count == 3)
            try await Self.untilSome("linejudge_load_sent_total", metrics)
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(outcome.output.contains("interrupted after"))
            let figures = try LoadFigures(folder.appending(path: "load.json"))
            #expect(figures["operators.ready"] == 30)
            #expect(figures["traffic.sentEver"] ?? 0 > 0)
            #expect(figures.text("interruption") == "interrupted")
            #expect(try await Self.areGone(children))
        }
    }

    /// Waits until a metric is greater than zero.
    static func untilSome(_ name: String, _ metrics: String) async throws {
        for _ in 0..<1_200 {
            if let value = try await Metrics.value(name, at: metrics), value > 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Starts a load with three processes, and waits until it sends.
    private static func sending(in folder: URL) async throws -> (Running, children: [Int32]) {
        let running = try Command([
            "load", "--operators", "30", "--for", "600s", "--processes", "3", "--color", "never",
            "--metrics", "127.0.0.1:0", "--report", "json=load.json",
        ]).within(folder).start()
        _ = try running.line()
        let metrics = String(try running.line().dropFirst("metrics at ".count))
        let children = try await children(of: running, count: 3)
        try await untilSome("linejudge_load_sent_total", metrics)
        return (running, children)
    }

    @Test func aProcessThatDiesIsSaidAndTheLoadEnds() async throws {
        try await Files.with { folder in
            let (running, children) = try await Self.sending(in: folder)
            kill(try #require(children.first), SIGKILL)
            let outcome = try await running.outcome()
            #expect(outcome.status == 2, "\(outcome.all)")
            #expect(outcome.output.contains("INCONCLUSIVE: process "), "\(outcome.all)")
            #expect(outcome.output.contains(" of 3 was killed by signal 9"), "\(outcome.all)")
            let figures = try LoadFigures(folder.appending(path: "load.json"))
            #expect(figures["operators.ready"] == 20)
            #expect(figures.violations == [:])
            #expect(try await Self.areGone(children))
        }
    }

    /// A stopped process neither reports nor reacts to the request to end.
    @Test func aStoppedProcessDoesNotHoldAnInterruptedLoad() async throws {
        try await Files.with { folder in
            let (running, children) = try await Self.sending(in: folder)
            kill(try #require(children.first), SIGSTOP)
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(outcome.output.contains("stopped responding and was killed"), "\(outcome.all)")
            let figures = try LoadFigures(folder.appending(path: "load.json"))
            #expect(figures.text("interruption") == "interrupted")
            #expect(try await Self.areGone(children))
        }
    }

    @Test func processesEndWithTheOneThatStartedThem() async throws {
        let server = try Command("serve").start()
        let url = String(try server.line().dropFirst("listening on ".count))
        let running = try Command([
            "load", "--server", url, "--dialect", "livechat", "--operators", "30", "--for", "600s",
            "--processes", "3",
        ]).start()
        let children = try await Self.children(of: running, count: 3)
        running.send(SIGKILL)
        _ = try await running.outcome()
        #expect(try await Self.areGone(children))
        server.send(SIGTERM)
        _ = try await server.outcome()
    }

    @Test func whereNothingListensSeveralProcessesSayItOnce() async throws {
        let outcome = try await Command(
            "load", "--server", "irc://127.0.0.1:9", "--for", "60s", "--processes", "3"
        ).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.components(separatedBy: "refused the connection").count == 2)
    }

    @Test func aPlanFromStandardInputReachesAllProcesses() async throws {
        let plan = """
            operators: 20
            processes: 2
            kinds: [{name: talkers, does: say}, {name: listeners, does: nothing}]
            stages: [{for: 500ms, rate: 40/s}, {for: 500ms, rate: 80/s}]
            """
        let outcome = try await Command("load", "-", "--color", "never").with(input: plan).run()
        #expect([0, 2].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.output.contains("60 sent in 1.00 s"), "\(outcome.all)")
        #expect(outcome.output.contains("540 of 540 deliveries arrived"))
        #expect(outcome.output.contains("of 2 cores"))
    }

    @Test func aRateIsLookedForBySeveralProcesses() async throws {
        let outcome = try await Command(
            "load", "--operators", "20", "--processes", "2", "--rate", "8/s", "--for", "500ms",
            "--find-rate", "p50(say) < 1us", "--color", "never"
        ).run()
        #expect([1, 2].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.output.contains("no rate passed"), "\(outcome.all)")
    }

    @Test func tooFewOpenFilesAreSaidWithTheProcessesThatMendIt() async throws {
        func load(_ more: String) async throws -> Command.Outcome {
            let program = Command.executable.path
            var command = Command(
                "-c",
                "ulimit -n 200; exec \(program) load --server irc://127.0.0.1:9 --operators 500 \(more)"
            )
            command.program = URL(filePath: "/bin/sh")
            return try await command.run()
        }
        let refused = try await load("")
        #expect(refused.status == 64, "\(refused.all)")
        #expect(refused.errors.contains("the open-file limit is 200, but 564 are needed"))
        #expect(refused.errors.contains("use --processes 4 (each process has its own limit)"))
        let few = try await load("--processes 3")
        #expect(few.status == 64, "\(few.all)")
        // There is no server, but only the main process reports it.
        let enough = try await load("--processes 4")
        #expect(enough.status == 69, "\(enough.all)")
    }

    @Test(arguments: [
        (["--processes", "0"], "from 1 to 64"), (["--processes", "65"], "from 1 to 64"),
        (["--processes", "many"], "--processes"),
        (["--processes", "4", "--operators", "30"], "4 processes need a room each"),
        (["--processes", "2", "--dialect", "plain"], "cannot be divided"),
    ])
    func aWrongNumberOfProcessesIsRefused(arguments: [String], words: String) async throws {
        let outcome = try await Command(["load"] + arguments).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains(words), "\(outcome.all)")
        #expect(outcome.output.isEmpty)
    }

    @Test func theWorkerCommandIsHidden() async throws {
        let outcome = try await Command("load-worker").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("run `linejudge load --processes 4`"))
        let help = try await Command("--help").run()
        #expect(!help.output.contains("load-worker"))
    }
}

/// Report destinations, and what ends a load.
@Suite(.serialized) struct LoadEndingTests {
    @Test(arguments: [["--processes", "1"], ["--processes", "2"]])
    func whoEndsItWhileOperatorsComeGetsWhatWasMeasured(how: [String]) async throws {
        try await Files.with { folder in
            let running = try Command(
                [
                    "load", "--operators", "2000", "--ramp", "600s", "--for", "60s", "--metrics",
                    "127.0.0.1:0", "--report", "json=load.json", "--color", "never",
                ] + how
            ).within(folder).start()
            _ = try running.line()
            let metrics = String(try running.line().dropFirst("metrics at ".count))
            try await LoadProcessesTests.untilSome("linejudge_load_operators_ready", metrics)
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            let figures = try LoadFigures(folder.appending(path: "load.json"))
            let ready = figures["operators.ready"] ?? 0
            #expect(ready > 0 && ready < 2_000)
            #expect(figures.count("login") == ready)
            #expect(figures["traffic.sent"] == 0)
            #expect(figures.text("interruption") == "interrupted")
        }
    }

    /// Destinations that cannot be written.
    @Test(arguments: ["/dev/full", "full/load.json", "locked/load.json", "file/load.json"])
    func aReportThatCannotBeWrittenIsSaidBeforeTheStart(path: String) async throws {
        try await Files.with(["file": ""]) { folder in
            let locked = folder.appending(path: "locked")
            try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o555], ofItemAtPath: locked.path)
            var command = Command(
                "-c", Self.script, "sh", Command.executable.path, folder.path, path)
            command.program = URL(filePath: "/bin/sh")
            let outcome = try await command.run()
            if outcome.status == 77 { return }
            #expect(outcome.status == 70, "\(outcome.all)")
            #expect(outcome.errors.contains("cannot write"), "\(outcome.all)")
            #expect(outcome.output.isEmpty, "\(outcome.all)")
        }
    }

    /// A full 64 KiB disk in a mount namespace, and a user without write permission.
    private static let script = """
        program=$1 folder=$2 path=$3
        case $path in /*) ;; *) path=$folder/$path ;; esac
        load="$program load --operators 10 --for 60s --report json=$path"
        case $path in
        */full/*)
            unshare --user --map-root-user --mount true || exit 77
            mkdir "$folder/full"
            exec unshare --user --map-root-user --mount sh -c '
                mount -t tmpfs -o size=64k tmpfs "$0/full" || exit 77
                head -c 65536 /dev/zero >"$0/full/filler" 2>/dev/null
                shift; exec "$@"' "$folder" - $load ;;
        */locked/*)
            as="setpriv --reuid 65534 --clear-groups"
            [ "$(id -u)" = 0 ] || as=
            $as $program --version >/dev/null || exit 77
            exec $as $load ;;
        *) exec $load ;;
        esac
        """
}
