import Diagnostics
import Session
import Testing
import SessionTransport
import Transport

@testable import Runner

struct ConnectHintTests {
    private let endpoint = Endpoint(.host("127.0.0.1", port: 6697), isSecure: true)

    private func help(_ cause: ConnectFailure.Cause, _ reason: String = "x") -> [DiagnosticNote] {
        var result = ScenarioOutcome(outcome: .inconclusive)
        result.diagnostic = Diagnostic(.error, "run.no-connection", "a cannot connect: x")
            .help("check that the server is running and that the address is correct")
        let outcome = SessionOutcome(result: result, connectFailure: reason, connectCause: cause)
        return outcome.hinted(endpoint).result.diagnostic?.notes ?? []
    }

    @Test(arguments: [
        (ConnectFailure.Cause.notTLS, "to connect without it: --server tcp://127.0.0.1:6697"),
        (.handshake, "to connect without it: --server tcp://127.0.0.1:6697"),
        (.certificate, "--tls-ca FILE"),
        (.certificate, "--insecure"), (.certificateName, "--server-name"),
        (.network, "check that the server is running"),
    ])
    func eachCauseHasItsHint(_ cause: ConnectFailure.Cause, _ hint: String) {
        #expect(help(cause).count == 1)
        #expect(help(cause).first?.text.contains(hint) == true)
    }

    @Test func aReasonThatTheMessageLacksIsANote() {
        let notes = help(.handshake, "it did not finish the TLS handshake in time")
        #expect(notes.map(\.kind) == [.help, .note])
    }

    @Test func protocolHasAnAddressToUse() {
        let plain = Endpoint(.host("127.0.0.1", port: 6697))
        let irc = Endpoint(.host("127.0.0.1", port: 6697), dialect: "irc")
        #expect(ProtocolProbe.Found.tls.hint(at: plain).hasSuffix("--server tls://127.0.0.1:6697"))
        #expect(ProtocolProbe.Found.tls.hint(at: irc).hasSuffix("--server ircs://127.0.0.1:6697"))
        #expect(ProtocolProbe.Found.http.hint(at: plain).contains("speaks HTTP"))
    }
}
