import Results
import Scenario
import Session
import Testing

@testable import Conformance

/// Cases that wait for a short time, because they repeat a failure.
struct HurriedCaseTests {
    private func testCase() throws -> CheckCase {
        let subject = try EvidenceTable.subject("irc")
        var script = CaseScript("a stale session", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice77"))
        script.step(.stimulus, .close("alice"))
        script.freed("alice")
        script.step(.question, .nameFree("soon", within: 1_000_000_000))
        return script.made()
    }

    private func texts(_ testCase: CheckCase) -> [String] { testCase.steps.map(\.text) }

    @Test func waitsAreShorter() throws {
        let plain = try testCase()
        let hurried = plain.hurried
        #expect(plain.patience == 25_000_000_000)
        #expect(hurried.patience == CheckCase.hurriedPatience)
        #expect(texts(plain).contains { $0.contains("alice77") && $0.contains("within 5s") })
        #expect(texts(hurried).contains { $0.contains("alice77") && $0.contains("within 1500ms") })
    }

    @Test func shorterWaitsAndOtherStepsStay() throws {
        let plain = try testCase()
        var short = plain
        short.patience = 500_000_000
        #expect(short.hurried.patience == 500_000_000)
        #expect(texts(plain.hurried).contains { $0.contains("soon") && $0.contains("within 1s") })
        #expect(
            texts(plain.hurried).filter { !$0.contains("free") }
                == texts(plain).filter { !$0.contains("free") })
    }

    @Test func aHeavyCaseWaitsLonger() throws {
        var plain = try testCase()
        plain.setPatience(3_000_000_000)
        #expect(plain.patience == 3_000_000_000)
        plain.isHeavy = true
        plain.setPatience(3_000_000_000)
        #expect(plain.patience == 8_000_000_000)
        #expect(plain.hurried.patience == CheckCase.hurriedPatience + 5_000_000_000)
    }

    @Test func newNamesDependOnTheSeedAndThePart() throws {
        let plain = try testCase()
        let names = [(1, "a"), (1, "b"), (2, "a"), (2, "b")].map { seed, part in
            plain.renamed(seed: seed, part: part).actors[0].name
        }
        #expect(Set(names + ["alice77"]).count == 5)
        #expect(plain.renamed(seed: 1, part: "a").actors[0].name == names[0])
    }

    @Test func slowLoginsExtendAllWaits() throws {
        var subject = try EvidenceTable.subject("irc")
        subject.loginTime = 1_000_000_000
        var script = CaseScript("a stale session", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice77"))
        script.step(.stimulus, .close("alice"))
        script.freed("alice")
        var testCase = script.made()
        #expect(testCase.patience == 26_000_000_000)
        #expect(testCase.hurried.patience == CheckCase.hurriedPatience + 1_000_000_000)
        #expect(
            texts(testCase.hurried).contains { $0.contains("free") && $0.contains("within 2500ms") }
        )
        testCase.setPatience(3_000_000_000)
        #expect(testCase.patience == 4_000_000_000)
    }

    @Test(arguments: [Int64(0), 1_000_000_000])
    func clientsLogInTogetherIfLoginsAreSlow(loginTime: Int64) throws {
        var subject = try EvidenceTable.subject("irc")
        subject.loginTime = loginTime
        let check = try #require(
            Catalogue(subject).checks.first { $0.id.description == "frame.empty" })
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let handles = ["alice", "bob", "bystander"]
        func steps(isWritten: Bool) -> [String] {
            CaseScenario(testCase, check.heading, subject, isWritten: isWritten).text
                .split(separator: "\n").map(String.init)
                .filter { $0.hasSuffix(" connect") || $0.contains(#/^use login/#) }
                .map { $0.replacing(#/ \(.*/#, with: "").replacing(#/ +/#, with: " ") }
        }
        let logins = handles.map { "use login as \($0)" }
        #expect(steps(isWritten: true) == logins)
        let together =
            handles.map { "\($0) connect" } + handles.map { "use loginopens as \($0)" }
            + handles.map { "use logincompletes as \($0)" }
        #expect(steps(isWritten: false) == (loginTime > 0 ? together : logins))
    }

    /// A client that logs in with the others has a login name like any other client.
    @Test(arguments: ["irc", "irc+ircv3", "livechat", "msnp"])
    func loginsTogetherMakeNoDifference(dialect: String) async throws {
        let only = ["frame.seg", "id.dup", "msg.history", "phase", "reconn.mid"]
        let slow = try await check(dialect, only: only, loginTime: 1_000_000_000)
        let fast = try await check(dialect, only: only)
        #expect(slow.contains { $0.verdict == .passed })
        #expect(slow.map(\.verdict) == fast.map(\.verdict), "\(slow.map(\.reason))")
        #expect(slow.map(\.id) == fast.map(\.id))
    }

    /// Before the login, an answer may take as long as a login.
    @Test(arguments: [(Int64(0), "delayed"), (3_000_000_000, "passed")])
    func anAnswerBeforeALoginMayTakeAsLong(loginTime: Int64, judgement: String) throws {
        var subject = try EvidenceTable.subject("irc")
        subject.loginTime = loginTime
        var script = CaseScript("before login", subject)
        script.connect(CaseActor(handle: "alice", name: "alice77"))
        script.send(.stimulus, Array("AWAY\r\n".utf8), by: "alice")
        script.step(.question, .sync("alice"))
        var (probe, answer) = (
            EvidenceTable.Row.sent("alice", "PING one"),
            EvidenceTable.Row.received("alice", ":s PONG s one")
        )
        (probe.role, answer.role, answer.time) = (.probe, .probe, 2_000_000_000)
        let testCase = script.made { Liveness.timely($0) }
        let judged = try EvidenceTable.judgement(testCase, subject, [probe, answer])
        #expect("\(judged)".hasPrefix(judgement), "\(judged)")
    }
}
