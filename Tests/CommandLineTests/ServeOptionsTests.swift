import Foundation
import Glibc
import Testing

/// Options of `linejudge serve`.
struct ServeOptionsTests {
    @Test(arguments: [
        (["--fault", "drpo"], "did you mean drop?"), (["--fault", "drop:2"], "from 0 to 1"),
        (["--rate", "fast"], "such as 10/s"), (["--max-per-address", "0"], "from 1 to"),
        (["--seed", "x"], "expected a number"),
    ])
    func wrongValueIsAnsweredWithWhatIsExpected(_ words: [String], _ text: String) async throws {
        let outcome = try await Command(["serve"] + words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test(arguments: ["--listen", "--metrics"])
    func passwordInAnAddressIsNotShown(option: String) async throws {
        for address in ["al:Canary77@127.0.0.1:0", "tcp://al:Canary77@127.0.0.1:0"] {
            let outcome = try await Command("serve", option, address).run()
            #expect(outcome.status == 64)
            #expect(!outcome.all.contains("Canary77"), "\(outcome.all)")
            #expect(outcome.errors.contains("without a scheme or user name"), "\(outcome.all)")
        }
    }

    @Test func unknownHostIsReported() async throws {
        let outcome = try await Command("serve", "--listen", "no.such.host.invalid:0").run()
        #expect(outcome.status == 69)
        #expect(
            outcome.errors.hasPrefix(
                "error: cannot listen on no.such.host.invalid:0: unknown host\n"),
            "\(outcome.errors)")
    }

    @Test(arguments: [["--list-faults"], ["--fault", "help"]])
    func faultsAreListed(_ words: [String]) async throws {
        let outcome = try await Command(["serve"] + words).run()
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count > 40)
        #expect(lines.contains { $0.hasPrefix("drop ") && $0.hasSuffix("(msg.history)") })
    }

    @Test(arguments: ["irc", "msnp", "nats", "plain", "teamspeak", "irc+ngircd"])
    func everyDialectIsServed(_ dialect: String) async throws {
        let server = try Command("serve", "--dialect", dialect).start()
        #expect(try server.line().hasPrefix("listening on tcp://"))
        server.send(SIGTERM)
        #expect(try await server.outcome().status == 0)
    }

    @Test func faultFailsAScenarioThatPassesWithoutIt() async throws {
        let scenario = """
            title     A text arrives
            dialect   irc
            operators alice, bob

            use login
            alice -> PRIVMSG bob :hello
            bob   <- PRIVMSG bob hello  within 1s

            """
        try await Files.with(["relay.chat": scenario]) { folder in
            for (words, code) in [([], Int32(0)), (["--fault", "drop"], 1)] as [([String], Int32)] {
                let server = try Command(["serve", "--dialect", "irc"] + words).start()
                let url = String(try server.line().dropFirst("listening on ".count))
                let outcome = try await Command("run", "relay.chat", "--server", url)
                    .within(folder).run()
                #expect(outcome.status == code, "\(outcome.all)")
                server.send(SIGTERM)
                _ = try await server.outcome()
            }
        }
    }
}
