import Foundation
import Glibc
import Testing

/// Loads of scenarios, TLS, Unix sockets, and loads that end themselves, through the executable.
@Suite struct LoadScenarioTests {
    private func isFine(_ outcome: Command.Outcome) -> Bool { [0, 2].contains(outcome.status) }

    private static let ping =
        "operators alice\nuse login\nalice -> PING {{nonce}}\nalice <~ PONG {{_}} {{nonce}}\n"

    @Test func virtualUsersRunAScenarioAtTheRequestedRate() async throws {
        let path = Files.root.appending(path: "Scenarios/irc/nickname-case.chat").path
        try await Files.with { folder in
            let outcome = try await Command(
                "load", path, "--operators", "40", "--rate", "20/s", "--for", "1500ms", "--color",
                "never", "--report", "json=load.json", "--report", "html=load.html", "--report",
                "csv=load.csv", "--report", "junit=load.xml", "--report", "hgrm=load.hgrm"
            ).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(outcome.output.contains("by 20 virtual users"), "\(outcome.all)")
            #expect(outcome.output.contains("30 runs by 20 virtual users, 30 passed"))
            #expect(outcome.output.contains("0 lost"))
            try await LoadSchema.validate("load.json", in: folder)
            let page = try Files.text(folder.appending(path: "load.html"))
            #expect(page.contains("Scenario: A nickname in use is refused, whatever its case"))
            #expect(page.contains("bob &lt;- 433"))
            #expect(try Files.text(folder.appending(path: "load.csv")).contains("step_p99_us"))
        }
    }

    @Test(arguments: ["1", "2"])
    func needsAreCheckedBeforeTheLoad(processes: String) async throws {
        let files = [
            "met.chat": """
            dialect irc
            operators alice
            needs isupport NICKLEN
            use login
            alice -> PING x{{offer.isupport.NICKLEN}}
            alice <~ PONG {{_}} x{{/[0-9]+/}}

            """,
            "unmet.chat": "dialect irc\noperators alice\nneeds cap rockets\nuse login\n",
            "fixture.chat": "dialect irc\noperators alice\nneeds fixture account\nuse login\n",
        ]
        try await Files.with(files) { folder in
            func load(_ words: String...) async throws -> Command.Outcome {
                try await Command(
                    ["load"] + words + [
                        "--operators", "4", "--rate", "10/s", "--for", "500ms", "--processes",
                        processes,
                    ]
                ).within(folder).run()
            }
            let met = try await load("--scenario", "met.chat")
            #expect(isFine(met), "\(met.all)")
            #expect(met.output.contains(" passed"), "\(met.all)")
            let unmet = try await load("--scenario", "unmet.chat")
            #expect(unmet.status == 2, "\(unmet.all)")
            #expect(
                unmet.errors.contains("needs cap rockets, which the server does not offer"),
                "\(unmet.all)")
            #expect(unmet.errors.contains("--> unmet.chat:3:11"), "\(unmet.all)")
            let fixture = try await load("--scenario", "fixture.chat")
            #expect(fixture.status == 2, "\(fixture.all)")
            let given = try await load("--scenario", "fixture.chat", "--fixture", "account")
            #expect(isFine(given), "\(given.all)")
        }
    }

    @Test(arguments: ["1", "2"])
    func scenariosCanUseTheEnvironment(processes: String) async throws {
        let scenario = """
            operators alice
            use login
            alice -> PING {{env.LOAD_TOKEN}}
            alice <~ PONG {{_}} ab-12-cd

            """
        try await Files.with(["ping.chat": scenario]) { folder in
            let outcome = try await Command(
                "load", "ping.chat", "--dialect", "irc", "--operators", "6", "--rate", "20/s",
                "--for", "500ms", "--color", "never", "--processes", processes
            ).with(environment: ["LOAD_TOKEN": "ab-12-cd"]).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(!outcome.all.contains("ab-12-cd"), "\(outcome.all)")
        }
    }

    @Test func anUnmetExpectationIsShownWithItsLocationAndFailsTheLoad() async throws {
        let wrong =
            "operators alice\nuse login\nalice -> PRIVMSG nobody :hello\nalice <- 433 {{...}}\n"
        try await Files.with(["wrong.chat": wrong]) { folder in
            let load = [
                "load", "wrong.chat", "--dialect", "irc", "--operators", "5", "--rate", "20/s",
                "--for", "500ms", "--color", "never",
            ]
            let outcome = try await Command(load).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("FAILED: 10 unmet"), "\(outcome.all)")
            #expect(outcome.output.contains("unmet: wrong.chat:4: expected 433"))
            #expect(outcome.output.contains("401 alice"))
            #expect(outcome.output.contains("10 failed at line 4"))
            let budget = try await Command(load + ["--threshold", "passed >= 0%"])
                .within(folder).run()
            #expect(isFine(budget), "\(budget.all)")
            let strict = try await Command(load + ["--threshold", "passed >= 99%"])
                .within(folder).run()
            #expect(strict.status == 1)
            #expect(strict.output.contains("failed: passed >= 99% (0.0%)"), "\(strict.all)")
        }
    }

    @Test func scenariosStandBesideOtherKindsInAPlan() async throws {
        let plan = """
            dialect: irc
            operators: 60
            kinds:
              - {name: talkers, weight: 2, does: say}
              - {name: newcomers, weight: 1, scenario: ping.chat}
            stages: [{for: 1s, rate: 60/s}]
            thresholds: [passed == 100%, lost == 0]
            """
        try await Files.with(["plans/plan.yaml": plan, "plans/ping.chat": Self.ping]) { folder in
            let outcome = try await Command(
                "load", "plans/plan.yaml", "--color", "never", "--report", "json=load.json"
            ).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(
                outcome.output.contains("plans/ping.chat: 20 runs by 20 virtual users, 20 passed"))
            #expect(outcome.output.contains("60 sent in 1.00 s"))
            #expect(outcome.output.contains("passed: passed == 100% (100.0%)"))
            try await LoadSchema.validate("load.json", in: folder)
        }
    }

    @Test(arguments: [
        ("exec \"x {{port}}\"\nalice -> PING x\nalice close", 64, "bad.chat:1:6", "--server"),
        ("alice -> PING x\nwait 5m\nalice close", 64, "bad.chat:2:1", "300.0 s"),
        ("alice -> PING {{nobody}}", 65, "bad.chat:1:15", "is not defined"),
        ("alice -> PING x\nbob -> PING x\ncarol -> PING x", 64, "3 operators", "--operators"),
    ])
    func invalidLoadsAreReportedWithTheirLocation(
        _ text: String, _ status: Int, _ position: String, _ words: String
    ) async throws {
        try await Files.with(["bad.chat": text]) { folder in
            let outcome = try await Command(
                "load", "bad.chat", "--dialect", "irc", "--operators", "2"
            ).within(folder).run()
            #expect(Int(outcome.status) == status, "\(outcome.all)")
            #expect(outcome.errors.contains(position), "\(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func aScenarioThatIsNotThereIsSaid() async throws {
        let outcome = try await Command("load", "nowhere.chat").run()
        #expect(outcome.status == 66, "\(outcome.all)")
    }

    // MARK: Other sockets

    private func certificate(_ folder: URL) async throws {
        var make = Command(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        make.program = URL(filePath: "/usr/bin/env")
        let made = try await make.within(folder).run()
        #expect(made.status == 0, "\(made.all)")
    }

    @Test(arguments: [
        "--mix say=3,probe=1", "--kind talker=3 --kind reconnecting --kind slow-reader",
    ])
    func aLoadOverTLSIsALoadLikeAnyOther(_ options: String) async throws {
        try await Files.with { folder in
            try await certificate(folder)
            let server = try Command(
                "serve", "--dialect", "irc", "--tls-cert", "cert.pem", "--tls-key", "key.pem"
            ).within(folder).start()
            let address = String(try server.line().split(separator: "/").last ?? "")
            let load =
                [
                    "load", "--server", "ircs://\(address)", "--operators", "20", "--room-size",
                    "5",
                    "--rate", "100/s", "--for", "1s", "--drain", "30s", "--color", "never",
                ] + options.split(separator: " ").map(String.init)
            let outcome = try await Command(
                load + ["--tls-ca", "cert.pem", "--report", "json=load.json"]
            ).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(outcome.output.contains("100 sent in 1.00 s"), "\(outcome.all)")
            #expect(outcome.output.contains("0 lost, 0 duplicate"))
            try await LoadSchema.validate("load.json", in: folder)
            let distrustful = try await Command(load).within(folder).run()
            #expect(distrustful.status == 69, "\(distrustful.all)")
            #expect(distrustful.errors.contains("--tls-ca"), "\(distrustful.all)")
            #expect(distrustful.all.contains("certificate"), "\(distrustful.all)")
            let scenario = Files.root.appending(path: "Scenarios/irc/ping.chat").path
            let scenarios = try await Command(
                "load", scenario, "--server", "ircs://\(address)", "--insecure", "--operators",
                "10",
                "--rate", "10/s", "--for", "1s", "--color", "never"
            ).within(folder).run()
            #expect(isFine(scenarios), "\(scenarios.all)")
            #expect(
                scenarios.output.contains("10 runs by 10 virtual users, 10 passed"),
                "\(scenarios.all)")
            server.send(SIGTERM)
            _ = try await server.outcome()
        }
    }

    @Test func aLoadOverAUnixSocketIsALoadLikeAnyOther() async throws {
        try await Files.with { folder in
            let path = folder.appending(path: "s").path
            let server = try Command("serve", "--dialect", "irc", "--listen", "unix:\(path)")
                .start()
            _ = try server.line()
            let load = [
                "load", "--server", "unix:\(path)", "--dialect", "irc", "--operators", "30",
                "--rate", "100/s", "--for", "1s", "--color", "never",
            ]
            let outcome = try await Command(load).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(outcome.output.contains("900 of 900 deliveries arrived"), "\(outcome.all)")
            #expect(outcome.output.contains("0 lost, 0 duplicate"))
            server.send(SIGTERM)
            _ = try await server.outcome()
            let gone = try await Command(load).run()
            #expect(gone.status == 69, "\(gone.all)")
        }
    }

    // MARK: Ends

    @Test func aLoadThatHasFailedEndsBeforeItsTime() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--operators", "10", "--for", "600s", "--threshold", "p50(say) < 1us",
                "--abort-on-fail", "0", "--color", "never", "--report", "json=load.json"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains("ended early because the threshold p50(say) < 1us failed"),
                "\(outcome.all)")
            try await LoadSchema.validate("load.json", in: folder)
        }
    }

    @Test func aRateFromAFileIsFollowed() async throws {
        let files = [
            "plan.yaml": "operators: 10\nstages: [{curve: day.csv}]\n",
            "day.csv": "second,rate\n0,0\n1,100\n",
        ]
        try await Files.with(files) { folder in
            let outcome = try await Command("load", "plan.yaml", "--color", "never")
                .within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(outcome.output.contains("50 sent in 1.00 s"), "\(outcome.all)")
        }
    }

    @Test func connectionsComeFromTheAddressesThatWereNamed() async throws {
        let outcome = try await Command(
            "load", "--operators", "10", "--rate", "20/s", "--for", "500ms", "--source",
            "127.0.0.7", "--source", "127.0.0.8", "--color", "never"
        ).run()
        #expect(isFine(outcome), "\(outcome.all)")
        let wrong = try await Command(
            "load", "--operators", "3", "--for", "500ms", "--source", "192.0.2.1", "--color",
            "never"
        ).run()
        #expect(wrong.status == 2, "\(wrong.all)")
        #expect(wrong.output.contains("cannot bind the source address"), "\(wrong.all)")
    }
}
