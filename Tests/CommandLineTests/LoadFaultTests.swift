import Foundation
import Glibc
import RepositoryFiles
import Testing

/// A server with a fault, with its address and its metrics.
private func withServer(
    _ dialect: String, fault: String, _ body: (String, String) async throws -> Void
) async throws {
    let server = try Command(
        "serve", "--dialect", dialect, "--fault", fault, "--metrics", "127.0.0.1:0"
    ).start()
    let url = String(try server.line().dropFirst("listening on ".count))
    let metrics = String(try server.line().dropFirst("metrics at ".count))
    try await body(url, metrics)
    server.send(SIGTERM)
    _ = try await server.outcome()
}

/// Violations found by a load equal the faults that the server counted.
@Suite struct LoadFaultTests {
    @Test(
        arguments: ["livechat", "irc"],
        [
            ("drop", "lost"), ("duplicate", "duplicate"), ("swap", "reordered"),
            ("leak", "leaked"), ("mutate", "corrupted"), ("payload-off-by-one", "corrupted"),
        ])
    func whatIsFoundIsWhatTheServerDid(_ dialect: String, _ fault: (String, String)) async throws {
        try await withServer(dialect, fault: "\(fault.0):5%") { url, metrics in
            try await Files.with { folder in
                let outcome = try await Command(
                    "load", "--server", url, "--dialect", dialect, "--operators", "24",
                    "--room-size", "8", "--rate", "300/s", "--for", "1500ms", "--quiet",
                    "--report", "json=load.json"
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                let injected = try await Metrics.faults(fault.0, at: metrics)
                #expect(injected > 0)
                let found = try LoadFigures(folder.appending(path: "load.json")).violations
                // A changed message is also missing. A message that is cut for all of its seven
                // receivers is one fault.
                let count = fault.0 == "payload-off-by-one" ? injected * 7 : injected
                let isChanged = fault.1 == "corrupted"
                #expect(found == (isChanged ? [fault.1: count, "lost": count] : [fault.1: count]))
            }
        }
    }
}

/// Violations found by a load at a high rate equal the faults that the server counted.
@Suite(.serialized) struct FastLoadFaultTests {
    @Test(arguments: ["livechat", "irc"])
    func swapsAreFoundAtAHighRate(_ dialect: String) async throws {
        try await withServer(dialect, fault: "swap:0.2") { url, metrics in
            try await Files.with { folder in
                let outcome = try await Command(
                    "load", "--server", url, "--dialect", dialect, "--operators", "24",
                    "--room-size", "8", "--rate", Sanitizer.isUsed ? "150/s" : "1500/s", "--for",
                    "1500ms", "--quiet", "--report", "json=load.json"
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                let injected = try await Metrics.faults("swap", at: metrics)
                #expect(injected > 0)
                let found = try LoadFigures(folder.appending(path: "load.json")).violations
                #expect(found == ["reordered": injected])
            }
        }
    }

    @Test(arguments: ["livechat", "irc"])
    func messagesLostInAFloodAreLostForEveryReceiver(_ dialect: String) async throws {
        try await withServer(dialect, fault: "flood-loses:5%") { url, metrics in
            try await Files.with { folder in
                // A single talker sends 300 lines at once, every 100 ms; less often with a sanitizer.
                let isSlow = Sanitizer.isUsed
                let outcome = try await Command(
                    "load", "--server", url, "--dialect", dialect, "--operators", "8",
                    "--room-size", "8", "--kind", "talker", "--kind", "listener=7", "--rate",
                    isSlow ? "300/s" : "3000/s", "--batch-interval", isSlow ? "1s" : "100ms",
                    "--for", "1500ms", "--quiet", "--report", "json=load.json"
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                let injected = try await Metrics.faults("flood-loses", at: metrics)
                #expect(injected > 0)
                let found = try LoadFigures(folder.appending(path: "load.json")).violations
                #expect(found == ["lost": injected * 7])
            }
        }
    }

    @Test(arguments: ["livechat", "irc"])
    func strayLinesAreCountedOneByOne(_ dialect: String) async throws {
        try await withServer(dialect, fault: "stray-line:5%") { url, metrics in
            let outcome = try await Command(
                "load", "--server", url, "--dialect", dialect, "--operators", "24", "--room-size",
                "8", "--rate", "300/s", "--for", "1500ms", "--schema", "fail", "--color", "never"
            ).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let injected = try await Metrics.faults("stray-line", at: metrics)
            #expect(injected > 0)
            #expect(outcome.output.contains("failed: schema == 0 (\(injected))"), "\(outcome.all)")
        }
    }
}

/// Results files are read by independent programs, and loads can be watched and ended.
struct LoadOutputTests {
    @Test func otherToolsReadTheHistograms() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--operators", "20", "--rate", "200/s", "--for", "1500ms", "--quiet",
                "--report", "json=l.json", "--report", "hlog=l.hlog", "--report", "hgrm=l.hgrm"
            ).within(folder).run()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            let tool = Files.root.appending(path: "Tests/ReportTests/Tools/hdr.py").path
            var read = Command(tool, "l.json", "l.hlog", "l.hgrm")
            read.program = Files.root.appending(path: ".tools/python/bin/python3")
            let answer = try await read.within(folder).run()
            #expect(answer.status == 0, "\(answer.all)")
            #expect(answer.output.contains("7 metrics"))
        }
    }

    @Test func progressIsShownAndASignalEndsTheRunWithAReport() async throws {
        try await Files.with { folder in
            let running = try Command([
                "load", "--operators", "10", "--for", "600s", "--metrics", "127.0.0.1:0",
                "--report", "json=load.json", "--color", "never",
            ]).within(folder).start()
            #expect(try running.line().hasPrefix("linejudge load built-in (livechat)"))
            let address = String(try running.line().dropFirst("metrics at ".count))
            let page = try await Metrics.page(address)
            for name in ["operators_ready", "sent_total", "violations_total"] {
                #expect(page.contains("\n# TYPE linejudge_load_\(name) "), "\(page)")
            }
            running.send(SIGTERM)
            let outcome = try await running.outcome()
            #expect(outcome.status == 143, "\(outcome.all)")
            #expect(outcome.output.contains("terminated after"))
            let json = try Files.text(folder.appending(path: "load.json"))
            #expect(json.contains("\"interruption\" : \"terminated\""))
        }
    }

    @Test func aMetricsAddressThatIsTakenIsSaidBeforeTheStart() async throws {
        let server = try Command("serve").start()
        let taken = String(try server.line().dropFirst("listening on tcp://".count))
        let outcome = try await Command("load", "--for", "600s", "--metrics", taken).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.contains("is in use"))
        server.send(SIGTERM)
        _ = try await server.outcome()
    }
}

/// Plans and searches through the executable.
@Suite(.serialized) struct LoadPlanTests {
    @Test(arguments: ["evening", "conversation", "crowd"])
    func theExamplesRun(_ name: String) async throws {
        try await Files.with { folder in
            let plan = Files.root.appending(path: "Examples/plans/\(name).yaml").path
            let outcome = try await Command(
                "load", plan, "--report", "json=load.json", "--report", "html=load.html"
            ).within(folder).run()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("passed: lost == 0 (0)"), "\(outcome.all)")
            var validate = Command(
                "python3", Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
                Files.root.appending(path: "docs/load-results.schema.json").path, "load.json")
            validate.program = URL(filePath: "/usr/bin/env")
            let valid = try await validate.within(folder).run()
            #expect(valid.status == 0, "\(valid.all)")
        }
    }

    @Test func whatIsTypedCountsMoreThanThePlan() async throws {
        let plan =
            "operators: 30\nstages: [{for: 60s, rate: 1/s..900/s}]\nthresholds: [lost == 0]\n"
        try await Files.with(["plan.yaml": plan]) { folder in
            let outcome = try await Command(
                "load", "plan.yaml", "--operators", "10", "--rate", "50/s", "--for", "500ms"
            ).within(folder).run()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("10 operators, 1 room, 50/s, for 500 ms"))
            #expect(outcome.output.contains("25 sent in 500 ms"))
        }
    }

    @Test func aMistakeInAPlanIsReportedWithItsLocation() async throws {
        try await Files.with(["plan.yaml": "operators: 5\nstages: [{for: 1s, rat: 5/s}]\n"]) {
            let outcome = try await Command("load", "plan.yaml").within($0).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.errors.contains("plan.yaml:2:20"))
            #expect(outcome.errors.contains("did you mean `rate`?"))
        }
    }

    @Test func aPlanThatIsNotThereIsSaid() async throws {
        let outcome = try await Command("load", "nowhere.yaml").run()
        #expect(outcome.status == 66, "\(outcome.all)")
    }

    @Test func aPromiseThatNoRateKeepsHasNoRate() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--operators", "10", "--rate", "8/s", "--for", "500ms", "--find-rate",
                "p50(say) < 1us", "--report", "json=load.json", "--color", "never"
            ).within(folder).run()
            #expect([1, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("no rate passed"), "\(outcome.all)")
            #expect(outcome.output.contains("halving"))
            let json = try Files.text(folder.appending(path: "load.json"))
            #expect(json.contains("\"search\" : {"))
        }
    }

    @Test func aSearchInTheClosedModelIsRefused() async throws {
        let outcome = try await Command(
            "load", "--model", "closed", "--find-rate", "p99(say) < 5ms"
        ).run()
        #expect(outcome.status == 64, "\(outcome.all)")
    }
}
